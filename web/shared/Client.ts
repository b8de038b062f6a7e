import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { apiClient, type Credentials } from "../../src/client/ApiClient.ts"
import { configuration, transport } from "./Transport.ts"

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
