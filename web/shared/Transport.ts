import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/** What the pages are told at run time, so that one build serves every environment. `api` is the service's origin; `google` is true where it is configured. */
const Configuration = Schema.Struct({ api: Schema.String, google: Schema.optional(Schema.Boolean) })

const read = Effect.tryPromise(async () => (await fetch("/config.json")).json()).pipe(
  Effect.flatMap(Schema.decodeUnknownEffect(Configuration))
)

let known: typeof Configuration.Type | undefined

/** It is asked for once; one that did not come is asked for again. */
export const configuration = Effect.suspend(() =>
  known === undefined
    ? Effect.tap(read, (configuration) => Effect.sync(() => known = configuration))
    : Effect.succeed(known)
)

/** A browser's preflight refuses the headers of a trace, which nobody here would read. */
export const transport = FetchHttpClient.layer.pipe(Layer.provideMerge(Layer.succeedContext(
  Context.empty().pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
)))
