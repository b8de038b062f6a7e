import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

let cached: unknown

/** What `/config.json` says at run time, so that one build serves every environment. Read again after a failure. */
export const runtimeConfig = Effect.suspend(() =>
  cached === undefined
    ? Effect.tap(
      Effect.tryPromise(async (): Promise<unknown> => (await fetch("/config.json")).json()),
      (read) =>
        Effect.sync(() => {
          cached = read
        })
    )
    : Effect.succeed(cached)
)

/** `api` is the service's origin; `google` is true if Google sign-in is configured. */
export const configuration = Effect.flatMap(
  runtimeConfig,
  Schema.decodeUnknownEffect(Schema.Struct({ api: Schema.String, google: Schema.optional(Schema.Boolean) }))
)

/** Turns tracing off. Its headers would fail the browser's preflight, and nobody reads the traces here. */
export const transport = FetchHttpClient.layer.pipe(Layer.provideMerge(Layer.succeedContext(
  Context.empty().pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
)))
