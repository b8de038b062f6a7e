import { Effect } from "effect"
import { HttpApi, HttpApiClient } from "effect/http-api"
import { ForgottenPasswordApi } from "../../../src/http/account/ForgottenPasswordApi.ts"
import { SchemaErrors } from "../../../src/http/contract/RequestLimits.ts"
import { configuration, transport } from "../../shared/Transport.ts"

/** The part of the contract that this page uses. */
class ForgottenApi extends HttpApi.make("forgotten").add(ForgottenPasswordApi).middleware(SchemaErrors) {}

/** The typed client of the routes for a provider who cannot sign in. */
export const connectForgotten = Effect.flatMap(
  configuration,
  ({ api }) => HttpApiClient.make(ForgottenApi, { baseUrl: api })
).pipe(Effect.map(({ forgottenPassword }) => forgottenPassword), Effect.provide(transport))
