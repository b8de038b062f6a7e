import { Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Api } from "../http/Api.ts"
import {
  AdminAuthorization,
  DrainerAuthorization,
  ExchangeAuthorization,
  ProviderAuthorization,
  VeteranAuthorization
} from "../http/contract/Authorization.ts"

/** A client's credentials. If the credential that a route needs is missing, the service answers 401. */
export interface Credentials {
  readonly veteranToken?: Redacted.Redacted
  readonly providerToken?: Redacted.Redacted
  readonly exchangeSecret?: Redacted.Redacted
  readonly adminSecret?: Redacted.Redacted
  readonly drainerSecret?: Redacted.Redacted
}

/** The typed client, derived from the contract: `client.group.endpoint({ params, query, payload })`. */
export const apiClient = (baseUrl: string, credentials: Credentials = {}) =>
  HttpApiClient.make(Api, { baseUrl, transformClient: withoutTrace }).pipe(Effect.provide(Layer.mergeAll(
    HttpApiMiddleware.layerClient(
      VeteranAuthorization,
      ({ next, request }) => next(withToken(request, credentials.veteranToken))
    ),
    HttpApiMiddleware.layerClient(
      ProviderAuthorization,
      ({ next, request }) => next(withToken(request, credentials.providerToken))
    ),
    HttpApiMiddleware.layerClient(
      ExchangeAuthorization,
      ({ next, request }) => next(withHeader(request, "x-veteran-session-exchange", credentials.exchangeSecret))
    ),
    HttpApiMiddleware.layerClient(
      AdminAuthorization,
      ({ next, request }) => next(withHeader(request, "x-internal-admin-secret", credentials.adminSecret))
    ),
    HttpApiMiddleware.layerClient(
      DrainerAuthorization,
      ({ next, request }) => next(withHeader(request, "x-proof-drainer-secret", credentials.drainerSecret))
    )
  )))

/** Sends no trace headers: in a browser they would need a preflight, and the service takes no trace from a page. */
const withoutTrace = HttpClient.transformResponse(Effect.provideService(HttpClient.TracerPropagationEnabled, false))

const withToken = (request: HttpClientRequest.HttpClientRequest, token: Redacted.Redacted | undefined) =>
  token === undefined ? request : HttpClientRequest.bearerToken(request, token)

const withHeader = (
  request: HttpClientRequest.HttpClientRequest,
  name: string,
  value: Redacted.Redacted | undefined
) => value === undefined ? request : HttpClientRequest.setHeader(request, name, Redacted.value(value))
