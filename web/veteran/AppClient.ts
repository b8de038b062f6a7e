import type { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { VeteranAccountApi } from "../../src/http/account/AccountApi.ts"
import { VeteranApi } from "../../src/http/account/Api.ts"
import { DeletionApi } from "../../src/http/account/DeletionApi.ts"
import { DeviceSessionsApi } from "../../src/http/account/DeviceSessionApi.ts"
import { PasskeysApi } from "../../src/http/account/PasskeyApi.ts"
import { ConsentApi } from "../../src/http/consent/Api.ts"
import { SharingApi } from "../../src/http/consent/SharingApi.ts"
import { SchemaErrors } from "../../src/http/contract/RequestLimits.ts"
import { DocumentsApi } from "../../src/http/document/Api.ts"
import { ExportApi } from "../../src/http/export/Api.ts"
import { DisclosuresApi } from "../../src/http/ledger/DisclosureApi.ts"
import { DisclosureProofApi, ProofsApi } from "../../src/http/ledger/ProofApi.ts"
import { SecureLinksApi } from "../../src/http/link/Api.ts"
import { HealthRecordApi, SelfReportedApi } from "../../src/http/record/Api.ts"
import { RoiApi } from "../../src/http/release/Api.ts"
import { ShapesApi } from "../../src/http/shape/Api.ts"
import { clientOf } from "./ClientOf.ts"

/** The part of the contract that the app calls for a signed-in veteran. It loads no other part. */
class AppApi extends HttpApi.make("veteran")
  .add(DeviceSessionsApi)
  .add(PasskeysApi)
  .add(VeteranApi)
  .add(VeteranAccountApi)
  .add(DeletionApi)
  .add(ExportApi)
  .add(HealthRecordApi)
  .add(SelfReportedApi)
  .add(ConsentApi)
  .add(SharingApi)
  .add(DocumentsApi)
  .add(RoiApi)
  .add(ShapesApi)
  .add(SecureLinksApi)
  .add(DisclosuresApi)
  .add(DisclosureProofApi)
  .add(ProofsApi)
  .middleware(SchemaErrors)
{}

/** The typed client of all that the app calls. */
export const connect = clientOf(AppApi)

export type Client = Effect.Success<ReturnType<typeof connect>>
