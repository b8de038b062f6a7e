import { Effect, Layer, type Redacted } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { ProviderAuthorization } from "../../src/http/contract/Authorization.ts"
import { PortalApi } from "./PortalApi.ts"
import { configuration, transport } from "./Transport.ts"

/** The credentials that a page sends. A route that needs the token answers 401 without it. */
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

/** Sends and receives the cookie that resumes a session. Other calls go without it. */
const withCookie = Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include" })

/** The typed client of the contract. */
export const connect = (credentials: Credentials = {}) => client(credentials).pipe(Effect.provide(transport))

/** The same client, with the session's cookie. */
export const connectWithCookie = (credentials: Credentials = {}) =>
  client(credentials).pipe(Effect.provide(transport.pipe(Layer.provideMerge(withCookie))))

export type Client = Effect.Success<ReturnType<typeof connect>>
