import { HttpApi, OpenApi } from "effect/http-api"
import { AdminApi } from "./admin/Api.ts"
import { ConsentApi } from "./consent/Api.ts"
import { DocumentsApi } from "./documents/Api.ts"
import { HealthRecordApi } from "./health-record/Api.ts"
import { PatientsApi } from "./patients/Api.ts"
import { ProviderLoginApi, ProviderSessionApi } from "./provider/Api.ts"
import { SchemaErrors } from "./RequestLimits.ts"
import { RoiApi } from "./roi/Api.ts"
import { LinkRecipientApi, SecureLinksApi } from "./secure-links/Api.ts"
import { SelfReportedApi } from "./self-reported/Api.ts"
import { SystemApi } from "./system/Api.ts"
import { VeteranApi, VeteranSessionApi } from "./veteran/Api.ts"
import { WaitlistApi } from "./waitlist/Api.ts"

/** The contract of the service: routes, OpenAPI, typed clients, 405 answers, limits and log lines come from it. */
export class Api extends HttpApi.make("veteran-records-sharing")
  .add(SystemApi)
  .add(VeteranSessionApi)
  .add(VeteranApi)
  .add(HealthRecordApi)
  .add(SelfReportedApi)
  .add(ConsentApi)
  .add(DocumentsApi)
  .add(RoiApi)
  .add(SecureLinksApi)
  .add(LinkRecipientApi)
  .add(ProviderLoginApi)
  .add(ProviderSessionApi)
  .add(PatientsApi)
  .add(AdminApi)
  .add(WaitlistApi)
  .middleware(SchemaErrors)
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(OpenApi.annotations({
    title: "Veteran Records Sharing Service",
    version: "0.1.0",
    description: "A veteran's health record, shared by the veteran's consent."
  }))
{}
