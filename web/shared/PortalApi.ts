import { HttpApi } from "effect/http-api"
import { ProviderLoginApi, ProviderResumptionApi, ProviderSessionApi } from "../../src/http/account/Api.ts"
import { GoogleExchangeApi } from "../../src/http/account/GoogleApi.ts"
import { InvitationsApi } from "../../src/http/account/InvitationApi.ts"
import { PasswordApi } from "../../src/http/account/PasswordApi.ts"
import { SchemaErrors } from "../../src/http/contract/RequestLimits.ts"
import { PatientsApi } from "../../src/http/patient/Api.ts"

/** The part of the contract that these pages call. They load no other part. */
export class PortalApi extends HttpApi.make("portal")
  .add(ProviderLoginApi)
  .add(ProviderResumptionApi)
  .add(GoogleExchangeApi)
  .add(ProviderSessionApi)
  .add(PasswordApi)
  .add(InvitationsApi)
  .add(PatientsApi)
  .middleware(SchemaErrors)
{}
