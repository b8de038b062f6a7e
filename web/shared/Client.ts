import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApi, HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { ProviderLoginApi, ProviderResumptionApi, ProviderSessionApi } from "../../src/http/account/Api.ts"
import { GoogleExchangeApi } from "../../src/http/account/GoogleApi.ts"
import { InvitationsApi } from "../../src/http/account/InvitationApi.ts"
import { PasswordApi } from "../../src/http/account/PasswordApi.ts"
import { ProviderAuthorization } from "../../src/http/contract/Authorization.ts"
import { SchemaErrors } from "../../src/http/contract/RequestLimits.ts"
import { PatientsApi } from "../../src/http/patient/Api.ts"
import { configuration, transport } from "./Transport.ts"

/** The part of the contract that these pages call. They load no other part. */
class PortalApi extends HttpApi.make("portal")
  .add(ProviderLoginApi)
  .add(ProviderResumptionApi)
  .add(GoogleExchangeApi)
  .add(ProviderSessionApi)
  .add(PasswordApi)
  .add(InvitationsApi)
  .add(PatientsApi)
  .middleware(SchemaErrors)
{}

/** A route that needs the provider's token answers 401 without it. */
const client = (token: string | undefined) =>
  Effect.flatMap(configuration, ({ api }) => HttpApiClient.make(PortalApi, { baseUrl: api })).pipe(
    Effect.provide(HttpApiMiddleware.layerClient(
      ProviderAuthorization,
      ({ next, request }) => next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))
    ))
  )

/** Sends and receives the cookie that resumes a session. Other calls go without it. */
const withCookie = Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include" })

/** The typed client of the contract. */
export const connect = (token: string) => client(token).pipe(Effect.provide(transport))

/** The same client, with the session's cookie. */
export const connectWithCookie = (token?: string) =>
  client(token).pipe(Effect.provide(transport.pipe(Layer.provideMerge(withCookie))))

export type Client = Effect.Success<ReturnType<typeof connect>>
