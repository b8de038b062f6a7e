import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/** Where the veteran's app signs in and reads the record. `sandbox` is true if it is not the real VA. */
const Va = Schema.Struct({
  authorizationUrl: Schema.String,
  tokenUrl: Schema.String,
  fhirBase: Schema.String,
  clientId: Schema.String,
  scopes: Schema.String,
  resourceTypes: Schema.Array(Schema.String),
  sandbox: Schema.Boolean
})

/**
 * The configuration that pages load at run time, so that one build serves every environment. `api` is the service's
 * origin; `google` is true if Google sign-in is configured; `va` is for the veteran's app.
 */
const Configuration = Schema.Struct({
  api: Schema.String,
  google: Schema.optional(Schema.Boolean),
  va: Schema.optional(Va)
})

let cached: typeof Configuration.Type | undefined

/** Read once, and again after a failure. */
export const configuration = Effect.suspend(() =>
  cached === undefined
    ? Effect.tryPromise(async () => (await fetch("/config.json")).json()).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Configuration)),
      Effect.tap((read) =>
        Effect.sync(() => {
          cached = read
        })
      )
    )
    : Effect.succeed(cached)
)

/** Turns tracing off. Its headers would fail the browser's preflight, and nobody reads the traces here. */
export const transport = FetchHttpClient.layer.pipe(Layer.provideMerge(Layer.succeedContext(
  Context.empty().pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
)))
