import { Effect, Layer, type Redacted } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { ProviderAuthorization } from "../../src/http/contract/Authorization.ts"
import { PortalApi } from "./PortalApi.ts"
import { configuration, transport } from "./Transport.ts"

/** What a page shows of its provider; a route that wants it answers 401 without. */
export interface Credentials {
  readonly providerToken?: Redacted.Redacted
}

const client = ({ providerToken }: Credentials) =>
  Effect.flatMap(configuration, ({ api }) => HttpApiClient.make(PortalApi, { baseUrl: api })).pipe(
    Effect.provide(HttpApiMiddleware.layerClient(
      ProviderAuthorization,
      ({ next, request }) =>
        next(providerToken === undefined ? request : HttpClientRequest.bearerToken(request, providerToken))
    ))
  )

/** Takes and sends the cookie by which a session is resumed; other calls do without. */
const withCookie = Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include" })

/** The typed client of the contract. */
export const connect = (credentials: Credentials = {}) => client(credentials).pipe(Effect.provide(transport))

/** The same, with the session's cookie. */
export const connectWithCookie = (credentials: Credentials = {}) =>
  client(credentials).pipe(Effect.provide(transport.pipe(Layer.provideMerge(withCookie))))

export type Client = Effect.Success<ReturnType<typeof connect>>
