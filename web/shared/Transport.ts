import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/** What the pages are told at run time, so that one build serves every environment. `api` is the service's origin; `google` is true where it is configured. */
const Configuration = Schema.Struct({ api: Schema.String, google: Schema.optional(Schema.Boolean) })

let known: typeof Configuration.Type | undefined

/** It is read once; where that failed, again. */
export const configuration = Effect.suspend(() =>
  known === undefined
    ? Effect.tryPromise(async () => (await fetch("/config.json")).json()).pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Configuration)),
      Effect.tap((read) =>
        Effect.sync(() => {
          known = read
        })
      )
    )
    : Effect.succeed(known)
)

/** A browser's preflight refuses the headers of a trace, which nobody here would read. */
export const transport = FetchHttpClient.layer.pipe(Layer.provideMerge(Layer.succeedContext(
  Context.empty().pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
)))
