import { Effect, Layer, type Redacted } from "effect"
import { HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { VeteranAuthorization } from "../../src/http/contract/Authorization.ts"
import { configuration, transport } from "../shared/Transport.ts"
import { AppApi } from "./AppApi.ts"

/** The typed client of the contract. A route that needs the token answers 401 without it. */
export const connect = (token?: Redacted.Redacted) =>
  Effect.flatMap(configuration, ({ api }) => HttpApiClient.make(AppApi, { baseUrl: api })).pipe(
    Effect.provide(Layer.merge(
      transport,
      HttpApiMiddleware.layerClient(
        VeteranAuthorization,
        ({ next, request }) => next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))
      )
    ))
  )

export type Client = Effect.Success<ReturnType<typeof connect>>
