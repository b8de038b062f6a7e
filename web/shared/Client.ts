import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { apiClient, type Credentials } from "../../src/client/ApiClient.ts"

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
const transport = FetchHttpClient.layer.pipe(Layer.provideMerge(Layer.succeedContext(
  Context.empty().pipe(
    Context.add(HttpClient.TracerPropagationEnabled, false),
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
)))

/** Takes and sends the cookie by which a session is resumed; other calls do without. */
const withCookie = Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include" })

/** The typed client of the service's contract. */
export const connect = (credentials: Credentials = {}) =>
  Effect.flatMap(configuration, ({ api }) => apiClient(api, credentials)).pipe(Effect.provide(transport))

/** The same, with the session's cookie. */
export const connectWithCookie = (credentials: Credentials = {}) =>
  Effect.flatMap(configuration, ({ api }) => apiClient(api, credentials)).pipe(
    Effect.provide(transport.pipe(Layer.provideMerge(withCookie)))
  )

export type Client = Effect.Success<ReturnType<typeof connect>>
