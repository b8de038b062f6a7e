import { Layer } from "effect"
import { DemoAccounts } from "../demo/DemoAccounts.ts"
import { Welcome } from "../demo/Welcome.ts"
import { AppPages } from "../pages/AppPages.ts"
import { PortalPages } from "../pages/PortalPages.ts"
import { AccessTokens } from "../services/account/AccessTokens.ts"
import { AppSignIn } from "../services/account/AppSignIn.ts"
import { Deletions } from "../services/account/Deletions.ts"
import { DeviceProofs } from "../services/account/DeviceProofs.ts"
import { DeviceSessions } from "../services/account/DeviceSessions.ts"
import { EmailChanges } from "../services/account/EmailChanges.ts"
import { GoogleSignIn } from "../services/account/GoogleSignIn.ts"
import { Identities } from "../services/account/Identities.ts"
import { IdentityAssertion } from "../services/account/IdentityAssertion.ts"
import { IdTokens } from "../services/account/IdTokens.ts"
import { Invitations } from "../services/account/Invitations.ts"
import { NoticeSettings } from "../services/account/NoticeSettings.ts"
import { PasskeyAnswers } from "../services/account/PasskeyAnswers.ts"
import { Passkeys } from "../services/account/Passkeys.ts"
import { Password } from "../services/account/Password.ts"
import { ProviderAuth } from "../services/account/ProviderAuth.ts"
import { ProviderPasswords } from "../services/account/ProviderPasswords.ts"
import { Providers } from "../services/account/Providers.ts"
import { Resumption } from "../services/account/Resumption.ts"
import { SignInChallenges } from "../services/account/SignInChallenges.ts"
import { Veterans } from "../services/account/Veterans.ts"
import { VeteranSession } from "../services/account/VeteranSession.ts"
import { Waitlist } from "../services/account/Waitlist.ts"
import { ConsentGrants } from "../services/consent/ConsentGrants.ts"
import { Sharings } from "../services/consent/Sharings.ts"
import { Documents } from "../services/document/Documents.ts"
import { FileStore } from "../services/document/FileStore.ts"
import { Exports } from "../services/export/Exports.ts"
import { AppRecord } from "../services/fhir/AppRecord.ts"
import { AppSessions } from "../services/fhir/AppSessions.ts"
import { TokenPatient } from "../services/fhir/TokenPatient.ts"
import { Disclosures } from "../services/ledger/Disclosures.ts"
import { HeldLeaves } from "../services/ledger/HeldLeaves.ts"
import { ProofDrainer as Drainer } from "../services/ledger/ProofDrainer.ts"
import { Proofs } from "../services/ledger/Proofs.ts"
import { Witness } from "../services/ledger/Witness.ts"
import { EncryptedBundles } from "../services/link/EncryptedBundles.ts"
import { LinkView } from "../services/link/LinkView.ts"
import { Otp } from "../services/link/Otp.ts"
import { RunningTransfers } from "../services/link/RunningTransfers.ts"
import { SecureLinks } from "../services/link/SecureLinks.ts"
import { SmartHealthLinks } from "../services/link/SmartHealthLinks.ts"
import { Mailer } from "../services/mail/Mailer.ts"
import { MailOutbox } from "../services/mail/MailOutbox.ts"
import { AuthorizationRequests } from "../services/oauth/AuthorizationRequests.ts"
import { ClientAuthentication } from "../services/oauth/ClientAuthentication.ts"
import { Clients } from "../services/oauth/Clients.ts"
import { NamedTokens } from "../services/oauth/NamedTokens.ts"
import { TokenEndpoint } from "../services/oauth/TokenEndpoint.ts"
import { Webhooks } from "../services/oauth/Webhooks.ts"
import { AdminActs } from "../services/operation/AdminActs.ts"
import { Dependencies } from "../services/operation/Dependencies.ts"
import { Operators } from "../services/operation/Operators.ts"
import { PatientList } from "../services/patient/PatientList.ts"
import { Patients } from "../services/patient/Patients.ts"
import { ProviderNotes } from "../services/patient/ProviderNotes.ts"
import { RecordChanges } from "../services/patient/RecordChanges.ts"
import { SavedCopies } from "../services/patient/SavedCopies.ts"
import { Crypto } from "../services/platform/Crypto.ts"
import { Paging } from "../services/platform/Paging.ts"
import { RateLimits } from "../services/platform/RateLimits.ts"
import { StorageLimits } from "../services/platform/StorageLimits.ts"
import { Turns } from "../services/platform/Turns.ts"
import { HealthRecord } from "../services/record/HealthRecord.ts"
import { ManifestMerge } from "../services/record/ManifestMerge.ts"
import { SelfReportedEntries } from "../services/record/SelfReportedEntries.ts"
import { SyncQueue } from "../services/record/SyncQueue.ts"
import { SyncReader } from "../services/record/SyncReader.ts"
import { CcdaDocuments } from "../services/release/CcdaDocuments.ts"
import { Releases } from "../services/release/Releases.ts"
import { Verification } from "../services/release/Verification.ts"
import { ConsentShapes } from "../services/shape/ConsentShapes.ts"
import { DisclosureShapes } from "../services/shape/DisclosureShapes.ts"
import { SharedBundles } from "../services/shape/SharedBundles.ts"
import { DatabaseLayer } from "./Database.ts"
import { DiskMetrics } from "./DiskMetrics.ts"
import { FileSweep } from "./FileSweep.ts"
import { SettingsAtFirstStart } from "./FirstStart.ts"
import { HttpLayer } from "./Http.ts"
import { Logging } from "./Logging.ts"
import { MailAtStart } from "./MailAtStart.ts"
import { ProcessMetrics } from "./ProcessMetrics.ts"
import { ProofDrainer } from "./ProofDrainer.ts"
import { ProofSigningKey } from "./ProofSigningKey.ts"
import { SandboxVa } from "./SandboxVa.ts"
import { SigningCertificate } from "./SigningCertificate.ts"
import { Sweeps } from "./Sweeps.ts"
import { UploadDirectory } from "./UploadDirectory.ts"

/** Everything that the routes use, built on the database and the settings. */
export const ServicesLayer = Layer.mergeAll(
  AppRecord.layer,
  PatientList.layer,
  Patients.layer,
  RecordChanges.layer,
  CcdaDocuments.layer,
  Releases.layer,
  ConsentShapes.layer,
  DisclosureShapes.layer,
  SavedCopies.layer,
  VeteranSession.layer,
  AppSignIn.layer,
  Passkeys.layer,
  Identities.layer,
  ProviderAuth.layer,
  ProviderPasswords.layer,
  GoogleSignIn.layer,
  Resumption.layer,
  SmartHealthLinks.layer,
  Verification.layer,
  NamedTokens.layer,
  TokenEndpoint.layer,
  AuthorizationRequests.layer,
  EmailChanges.layer,
  Exports.layer,
  NoticeSettings.layer
).pipe(
  Layer.provideMerge(DeviceSessions.layer),
  Layer.provideMerge(PasskeyAnswers.layer),
  Layer.provideMerge(Layer.mergeAll(LinkView.layer, Otp.layer)),
  Layer.provideMerge(Layer.mergeAll(
    AppSessions.layer,
    ConsentGrants.layer,
    Deletions.layer,
    Invitations.layer,
    HealthRecord.layer,
    ManifestMerge.layer,
    Drainer.layer,
    Proofs.layer,
    ProviderNotes.layer,
    Providers.layer,
    AdminActs.layer,
    Dependencies.layer,
    Operators.layer,
    SecureLinks.layer,
    SelfReportedEntries.layer,
    Sharings.layer,
    TokenPatient.layer,
    RunningTransfers.layer,
    Veterans.layer,
    Waitlist.layer,
    Clients.layer,
    ClientAuthentication.layer
  )),
  Layer.provideMerge(EncryptedBundles.layer),
  Layer.provideMerge(SharedBundles.layer),
  Layer.provideMerge(Layer.mergeAll(Disclosures.layer, Documents.layer)),
  Layer.provideMerge(
    Layer.mergeAll(
      Paging.layer,
      Password.layer,
      AccessTokens.layer,
      DeviceProofs.layer,
      IdTokens.layer,
      SignInChallenges.layer,
      IdentityAssertion.layer,
      Mailer.layer,
      FileStore.layer,
      RateLimits.layer,
      Turns.layer,
      SyncQueue.layer,
      SyncReader.layer,
      StorageLimits.layer,
      SigningCertificate,
      ProofSigningKey
    )
  ),
  Layer.provideMerge(Crypto.layer),
  Layer.provideMerge(DatabaseLayer)
)

export const App = Layer.mergeAll(
  // What is provided last is made first: the portal's pages are built before the app's.
  Welcome.pipe(Layer.provide(AppPages.layer), Layer.provide(PortalPages.layer)),
  SandboxVa,
  MailAtStart,
  FileSweep,
  ProcessMetrics,
  DiskMetrics,
  Sweeps,
  MailOutbox,
  Witness,
  Webhooks,
  HeldLeaves,
  ProofDrainer
).pipe(
  Layer.provideMerge(HttpLayer),
  Layer.provide([DemoAccounts, UploadDirectory]),
  Layer.provideMerge(ServicesLayer),
  Layer.provideMerge(Logging),
  Layer.provideMerge(SettingsAtFirstStart)
)
