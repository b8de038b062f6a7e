import { Layer } from "effect"
import { ConsentGrants } from "../services/ConsentGrants.ts"
import { Crypto } from "../services/Crypto.ts"
import { Documents } from "../services/Documents.ts"
import { FileStore } from "../services/FileStore.ts"
import { HealthRecord } from "../services/HealthRecord.ts"
import { Mailer } from "../services/Mailer.ts"
import { ManifestMerge } from "../services/ManifestMerge.ts"
import { Otp } from "../services/Otp.ts"
import { Outbox } from "../services/Outbox.ts"
import { Paging } from "../services/Paging.ts"
import { Password } from "../services/Password.ts"
import { Patients } from "../services/Patients.ts"
import { ProviderAuth } from "../services/ProviderAuth.ts"
import { ProviderNotes } from "../services/ProviderNotes.ts"
import { Providers } from "../services/Providers.ts"
import { RateLimits } from "../services/RateLimits.ts"
import { Readiness } from "../services/Readiness.ts"
import { ReleaseOfInformation } from "../services/ReleaseOfInformation.ts"
import { SecureLinks } from "../services/SecureLinks.ts"
import { SelfReportedEntries } from "../services/SelfReportedEntries.ts"
import { Settings } from "../services/Settings.ts"
import { Tokens } from "../services/Tokens.ts"
import { Transfers } from "../services/Transfers.ts"
import { Veterans } from "../services/Veterans.ts"
import { VeteranSession } from "../services/VeteranSession.ts"
import { View } from "../services/View.ts"
import { Waitlist } from "../services/Waitlist.ts"
import { DatabaseLayer } from "./Database.ts"
import { FileSweep } from "./FileSweep.ts"
import { HttpLayer } from "./Http.ts"
import { SigningCertificate } from "./SigningCertificate.ts"
import { UploadDirectory } from "./UploadDirectory.ts"
import { Welcome } from "./Welcome.ts"

/** Everything the routes use, upon the database and the settings. */
export const ServicesLayer = Layer.mergeAll(
  Patients.layer,
  ReleaseOfInformation.layer,
  VeteranSession.layer,
  ProviderAuth.layer,
  View.layer
).pipe(
  Layer.provideMerge(Otp.layer),
  Layer.provideMerge(Layer.mergeAll(
    ConsentGrants.layer,
    Documents.layer,
    HealthRecord.layer,
    ManifestMerge.layer,
    ProviderNotes.layer,
    Providers.layer,
    RateLimits.layer,
    Readiness.layer,
    SecureLinks.layer,
    SelfReportedEntries.layer,
    Transfers.layer,
    Veterans.layer,
    Waitlist.layer
  )),
  Layer.provideMerge(
    Layer.mergeAll(Paging.layer, Password.layer, Tokens.layer, Mailer.layer, FileStore.layer, SigningCertificate)
  ),
  Layer.provideMerge(Crypto.layer),
  Layer.provideMerge(DatabaseLayer)
)

export const App = Layer.mergeAll(Welcome, FileSweep, Outbox).pipe(
  Layer.provideMerge(HttpLayer),
  Layer.provideMerge(ServicesLayer),
  Layer.provide(UploadDirectory),
  Layer.provideMerge(Settings.layer)
)
