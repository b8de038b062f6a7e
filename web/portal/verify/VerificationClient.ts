import { Effect } from "effect"
import { HttpApi, HttpApiClient } from "effect/http-api"
import { SchemaErrors } from "../../../src/http/contract/RequestLimits.ts"
import { ReleaseVerificationApi } from "../../../src/http/release/VerificationApi.ts"
import { configuration, transport } from "../../shared/Transport.ts"

/** The part of the contract that this page uses. The whole contract would take longer to load. */
class VerificationApi extends HttpApi.make("verification").add(ReleaseVerificationApi).middleware(SchemaErrors) {}

/** The typed client of the route that verifies a release. */
export const connectVerification = Effect.flatMap(
  configuration,
  ({ api }) => HttpApiClient.make(VerificationApi, { baseUrl: api })
).pipe(Effect.map(({ releaseVerification }) => releaseVerification), Effect.provide(transport))
