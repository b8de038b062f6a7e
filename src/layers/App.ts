import { Layer } from "effect"
import { DemoAccounts } from "../demo/DemoAccounts.ts"
import { Welcome } from "../demo/Welcome.ts"
import { AppPages } from "../pages/AppPages.ts"
import { PortalPages } from "../pages/PortalPages.ts"
import { AccountLayer } from "../services/account/Room.ts"
import { ConsentLayer } from "../services/consent/Room.ts"
import { DocumentLayer } from "../services/document/Room.ts"
import { ExportLayer } from "../services/export/Room.ts"
import { FhirLayer } from "../services/fhir/Room.ts"
import { LedgerLayer } from "../services/ledger/Room.ts"
import { LinkLayer } from "../services/link/Room.ts"
import { MailLayer } from "../services/mail/Room.ts"
import { OAuthLayer } from "../services/oauth/Room.ts"
import { OperationLayer } from "../services/operation/Room.ts"
import { PatientLayer } from "../services/patient/Room.ts"
import { PlatformLayer } from "../services/platform/Room.ts"
import type { Settings } from "../services/platform/Settings.ts"
import { RecordLayer } from "../services/record/Room.ts"
import { ReleaseLayer } from "../services/release/Room.ts"
import { ShapeLayer } from "../services/shape/Room.ts"
import { Background } from "./Background.ts"
import { DatabaseLayer } from "./Database.ts"
import { SettingsAtFirstStart } from "./FirstStart.ts"
import { HttpLayer } from "./Http.ts"
import { Logging } from "./Logging.ts"
import { ProofSigningKey } from "./ProofSigningKey.ts"
import { SigningCertificate } from "./SigningCertificate.ts"
import { UploadDirectory } from "./UploadDirectory.ts"

/**
 * The rooms of src/services, each on those below it. A room that needs one above it does not compile. The order is that
 * of the table in docs/maintainer.md (test/imports.test.ts), from its end.
 */
const ServicesLayer = OperationLayer.pipe(
  Layer.provideMerge(ExportLayer),
  Layer.provideMerge(OAuthLayer),
  Layer.provideMerge(LinkLayer),
  Layer.provideMerge(ShapeLayer),
  Layer.provideMerge(LedgerLayer),
  Layer.provideMerge(FhirLayer),
  Layer.provideMerge(ConsentLayer),
  Layer.provideMerge(ReleaseLayer),
  Layer.provideMerge(PatientLayer),
  Layer.provideMerge(MailLayer),
  Layer.provideMerge(DocumentLayer),
  Layer.provideMerge(RecordLayer),
  Layer.provideMerge(AccountLayer),
  Layer.provideMerge(PlatformLayer),
  Layer.provideMerge([ProofSigningKey, SigningCertificate]),
  Layer.provideMerge(DatabaseLayer)
) satisfies Layer.Layer<never, unknown, Settings>

export const App = Layer.mergeAll(
  // What is provided last is made first: the portal's pages are built before the app's.
  Welcome.pipe(Layer.provide(AppPages.layer), Layer.provide(PortalPages.layer)),
  Background
).pipe(
  Layer.provideMerge(HttpLayer),
  Layer.provide([DemoAccounts, UploadDirectory]),
  Layer.provideMerge(ServicesLayer),
  Layer.provideMerge(Logging),
  Layer.provideMerge(SettingsAtFirstStart)
)
