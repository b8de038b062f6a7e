import { Effect, Layer, type Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { type HttpApi, HttpApiClient, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { VeteranAuthorization } from "../../src/http/contract/Authorization.ts"
import { configuration, transport } from "../shared/Transport.ts"

/** Makes the typed client of a part of the contract. A route that needs the token answers 401 without it. */
export const clientOf =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  (token?: Redacted.Redacted) =>
    Effect.flatMap(configuration, ({ api: baseUrl }) => HttpApiClient.make(api, { baseUrl })).pipe(
      Effect.provide(Layer.merge(
        transport,
        HttpApiMiddleware.layerClient(
          VeteranAuthorization,
          ({ next, request }) => next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))
        )
      ))
    )
