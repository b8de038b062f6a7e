import { HttpApi, OpenApi } from "effect/http-api"
import { VeteranAccountApi } from "./account/AccountApi.ts"
import {
  ProviderLoginApi,
  ProviderResumptionApi,
  ProviderSessionApi,
  VeteranApi,
  VeteranSessionApi,
  WaitlistApi
} from "./account/Api.ts"
import { AppSignInApi } from "./account/AppSignInApi.ts"
import { DeletionApi } from "./account/DeletionApi.ts"
import { DeviceSessionsApi } from "./account/DeviceSessionApi.ts"
import { ForgottenPasswordApi } from "./account/ForgottenPasswordApi.ts"
import { GoogleExchangeApi, GoogleNavigationApi } from "./account/GoogleApi.ts"
import { InvitationsApi } from "./account/InvitationApi.ts"
import { PasskeysApi } from "./account/PasskeyApi.ts"
import { PasswordApi } from "./account/PasswordApi.ts"
import { ConsentApi } from "./consent/Api.ts"
import { SharingApi } from "./consent/SharingApi.ts"
import { SchemaErrors } from "./contract/RequestLimits.ts"
import { DocumentsApi } from "./document/Api.ts"
import { AdminExportApi, ExportApi } from "./export/Api.ts"
import { FhirApi, FhirMetadataApi } from "./fhir/Api.ts"
import { DisclosuresApi } from "./ledger/DisclosureApi.ts"
import { DisclosureProofApi, DrainerApi, ProofsApi } from "./ledger/ProofApi.ts"
import { SecureLinksApi } from "./link/Api.ts"
import { LinkRecipientApi } from "./link/RecipientApi.ts"
import { SmartHealthLinksApi } from "./link/SmartHealthLinkApi.ts"
import { OAuthClientsApi, OAuthMetadataApi, OAuthTokenApi } from "./oauth/Api.ts"
import { AuthorizeApi } from "./oauth/AuthorizeApi.ts"
import { AdminApi } from "./operation/OperatorApi.ts"
import { SystemApi } from "./operation/SystemApi.ts"
import { PatientsApi } from "./patient/Api.ts"
import { HealthRecordApi, SelfReportedApi } from "./record/Api.ts"
import { RoiApi } from "./release/Api.ts"
import { ReleaseVerificationApi } from "./release/VerificationApi.ts"
import { ShapesApi } from "./shape/Api.ts"

/** The HTTP contract. Routes, OpenAPI document, typed clients, 405 answers, limits and logged names derive from it. */
export class Api extends HttpApi.make("veteran-records-sharing")
  .add(SystemApi)
  .add(VeteranSessionApi)
  .add(AppSignInApi)
  .add(VeteranApi)
  .add(DeviceSessionsApi)
  .add(PasskeysApi)
  .add(DeletionApi)
  .add(VeteranAccountApi)
  .add(ExportApi)
  .add(HealthRecordApi)
  .add(SelfReportedApi)
  .add(ConsentApi)
  .add(SharingApi)
  .add(DocumentsApi)
  .add(RoiApi)
  .add(ReleaseVerificationApi)
  .add(SecureLinksApi)
  .add(LinkRecipientApi)
  .add(SmartHealthLinksApi)
  .add(DisclosuresApi)
  .add(ShapesApi)
  .add(ProviderLoginApi)
  .add(ProviderResumptionApi)
  .add(GoogleNavigationApi)
  .add(GoogleExchangeApi)
  .add(ProviderSessionApi)
  .add(ForgottenPasswordApi)
  .add(PasswordApi)
  .add(InvitationsApi)
  .add(PatientsApi)
  .add(AuthorizeApi)
  .add(FhirMetadataApi)
  .add(FhirApi)
  .add(ProofsApi)
  .add(DisclosureProofApi)
  .add(DrainerApi)
  .add(AdminApi)
  .add(AdminExportApi)
  .add(WaitlistApi)
  .add(OAuthClientsApi)
  .add(OAuthMetadataApi)
  .add(OAuthTokenApi)
  .middleware(SchemaErrors)
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotateMerge(OpenApi.annotations({
    title: "Veteran Records Sharing Service",
    version: "0.1.0",
    description: "A veteran's health record, shared by the veteran's consent.",
    license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    servers: [{ url: "/" }]
  }))
{}
