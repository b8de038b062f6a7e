import { Schema } from "effect"
import { Document, ReleaseStatus } from "./Document.ts"
import { ApiError } from "./Errors.ts"
import { SentDocumentId } from "./Id.ts"
import { ResourceType } from "./Manifest.ts"
import { Npi } from "./Provider.ts"
import { perDay } from "./RateLimit.ts"
import { statementsVersion } from "./ReleaseStatements.ts"
import { CalendarDate, EmailAddress, Instant, SentInstant, SentSha256, Text } from "./Scalars.ts"
import { notSearched, SensitiveCategory } from "./SensitiveCategory.ts"
import { FetchStatus, SyncState } from "./SyncState.ts"

/** Releases that a veteran signs, those that are revoked or deleted again too. */
export const releasesSigned = perDay(100)

/** Text that may have several lines, such as a reason. A name may have only one line. */
const Paragraph = Text(10_000)

const oneLine = Schema.makeFilter((text: string) => !/[\n\r\t]/.test(text) || "Expected one line of text")

const line = Paragraph.check(oneLine)

/** A client's request for a release of information, with the elements of roi-authorization.md. */
export const AuthorizationRequest = Schema.Struct({
  veteran: Schema.Struct({ fullName: line, dateOfBirth: CalendarDate }),
  information: Schema.Struct({
    resourceTypes: Schema.Array(ResourceType).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(200),
      Schema.isUnique()
    ),
    dateFrom: Schema.optional(Schema.NullOr(CalendarDate)),
    dateTo: Schema.optional(Schema.NullOr(CalendarDate)),
    documentIds: Schema.optional(Schema.Array(SentDocumentId).check(Schema.isMaxLength(200), Schema.isUnique()))
  }),
  disclosingParty: Schema.Struct({ name: line }),
  recipient: Schema.Struct({
    name: line,
    organization: Schema.optional(Schema.NullOr(line)),
    title: Schema.optional(Schema.NullOr(line)),
    email: EmailAddress,
    npi: Schema.optional(Schema.NullOr(Npi))
  }),
  purpose: Schema.Struct({
    code: Schema.Literals([
      "treatment",
      "benefits",
      "legal",
      "employment",
      "insurance",
      "personal",
      "individual_request",
      "other"
    ]),
    text: Schema.optional(Schema.NullOr(Paragraph))
  }),
  expiration: Schema.Struct({
    date: Schema.optional(Schema.NullOr(CalendarDate)),
    event: Schema.optional(Schema.NullOr(Paragraph))
  }),
  statementsVersion: Schema.Literal(statementsVersion),
  statementsAccepted: Schema.Literal(true),
  sensitiveCategories: Schema.optional(
    Schema.Array(Schema.Struct({ category: SensitiveCategory, acceptedAt: SentInstant }))
      .annotate({ description: `Included only by name. ${notSearched}` })
      .check(Schema.isMaxLength(10))
  ),
  signature: Schema.Struct({
    typedName: line,
    consentToElectronicSignature: Schema.Literal(true),
    signerRole: Schema.Literals(["veteran", "representative"]),
    authority: Schema.optional(Schema.NullOr(Paragraph)),
    nameDiffers: Schema.optional(Schema.Boolean),
    drawnPng: Schema.optional(Schema.NullOr(Schema.String.annotate({ description: "A PNG picture in base64" })))
  }),
  /** Whether the veteran agrees to share incomplete Condition or MedicationRequest data. Both answers allow signing. */
  incompleteRecordConfirmed: Schema.optional(Schema.Boolean),
  /** The document of the earlier release that the new release replaces. */
  supersedes: Schema.optional(Schema.NullOr(SentDocumentId))
}).annotate({ identifier: "AuthorizationRequest" })

export type AuthorizationRequest = typeof AuthorizationRequest.Type

const { signature, statementsAccepted } = AuthorizationRequest.fields

/** A request for a preview. It may lack what the signer chooses only at signing. */
export const PreviewRequest = Schema.Struct({
  ...AuthorizationRequest.fields,
  statementsAccepted: Schema.optional(statementsAccepted),
  signature: Schema.optional(signature)
}).annotate({ identifier: "PreviewRequest" })

export type PreviewRequest = typeof PreviewRequest.Type

export const IncompleteType = Schema.Struct({
  resourceType: ResourceType,
  state: SyncState,
  lastFetch: Schema.NullOr(FetchStatus)
}).annotate({ identifier: "IncompleteType" })

/** Whether the veteran must be asked about incomplete data before signing (specification, "States and transitions"). */
export const ReleaseReadiness = Schema.Struct({
  confirmationRequired: Schema.Boolean,
  incomplete: Schema.Array(IncompleteType)
}).annotate({ identifier: "ReleaseReadiness" })

export const SignedRelease = Schema.Struct({
  document: Document,
  /**
   * `person_differs` if a released Patient has another name or birth date than the authorization, then one warning for
   * each chosen type that is incomplete. Warnings never prevent signing.
   */
  warnings: Schema.Array(Schema.Union([
    Schema.Struct({ code: Schema.Literal("person_differs"), message: Schema.String }),
    Schema.Struct({ ...IncompleteType.fields, message: Schema.String })
  ]))
}).annotate({ identifier: "SignedRelease" })

/** Identifies a copy by the id of the release, which is printed on each page, and by the SHA-256 of the whole file. */
export const PresentedCopy = Schema.Struct({
  documentId: SentDocumentId,
  sha256: SentSha256
}).annotate({ identifier: "PresentedCopy" })

export type PresentedCopy = typeof PresentedCopy.Type

/** A genuine copy equals, byte for byte, the copy that was sealed when the release was signed. */
export const Verification = Schema.Union([
  Schema.Struct({
    genuine: Schema.Literal(true),
    copy: Schema.Literals(["veteran", "recipient"]),
    status: ReleaseStatus,
    signedAt: Instant,
    endsAt: Instant
  }),
  Schema.Struct({ genuine: Schema.Literal(false) })
]).annotate({ identifier: "Verification" })

export type Verification = typeof Verification.Type

export class SigningNotConfigured extends ApiError<SigningNotConfigured>()("SigningNotConfigured", {
  code: "service_unavailable",
  status: 503,
  message: "This server has no certificate to sign releases with: ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY."
}) {}
