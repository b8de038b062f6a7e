import { Effect } from "effect"
import { HttpApi, HttpApiClient } from "effect/http-api"
import { SchemaErrors } from "../../../src/http/contract/RequestLimits.ts"
import { LinkRecipientApi } from "../../../src/http/link/RecipientApi.ts"
import { configuration, transport } from "../../shared/Transport.ts"

/** The part of the contract that this page uses. The whole contract would take longer to load. */
class RecipientApi extends HttpApi.make("recipient").add(LinkRecipientApi).middleware(SchemaErrors) {}

/** The typed client of the routes that a recipient calls. */
export const connectRecipient = Effect.flatMap(
  configuration,
  ({ api }) => HttpApiClient.make(RecipientApi, { baseUrl: api })
).pipe(Effect.map(({ linkRecipient }) => linkRecipient), Effect.provide(transport))
