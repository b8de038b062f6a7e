import { Schema } from "effect"
import { Document } from "./Document.ts"
import { ApiError } from "./Errors.ts"
import { Id } from "./Id.ts"
import { FetchStatus, ResourceType, SyncState } from "./Manifest.ts"
import { Npi } from "./Provider.ts"
import { statementsVersion } from "./ReleaseStatements.ts"
import { CalendarDate, EmailAddress, SentInstant, Text } from "./Scalars.ts"
import { SensitiveCategory } from "./SensitiveCategory.ts"

/** Text that the document can show; a name is one line, a reason may have several. */
export const Paragraph = Text(10_000)

export const Line = Paragraph.check(
  Schema.makeFilter((text: string) => !/[\n\r\t]/.test(text) || "Expected one line of text")
)

/** A release of information as a client asks for it (roi-authorization.md), element by element. */
export const AuthorizationRequest = Schema.Struct({
  veteran: Schema.Struct({ fullName: Line, dateOfBirth: CalendarDate }),
  information: Schema.Struct({
    resourceTypes: Schema.Array(ResourceType).check(Schema.isMinLength(1), Schema.isMaxLength(200), Schema.isUnique()),
    dateFrom: Schema.optional(Schema.NullOr(CalendarDate)),
    dateTo: Schema.optional(Schema.NullOr(CalendarDate)),
    documentIds: Schema.optional(Schema.Array(Id).check(Schema.isMaxLength(200), Schema.isUnique()))
  }),
  disclosingParty: Schema.Struct({ name: Line }),
  recipient: Schema.Struct({
    name: Line,
    organization: Schema.optional(Schema.NullOr(Line)),
    title: Schema.optional(Schema.NullOr(Line)),
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
    Schema.Array(Schema.Struct({ category: SensitiveCategory, acceptedAt: SentInstant })).check(Schema.isMaxLength(10))
  ),
  signature: Schema.Struct({
    typedName: Line,
    consentToElectronicSignature: Schema.Literal(true),
    signerRole: Schema.Literals(["veteran", "representative"]),
    authority: Schema.optional(Schema.NullOr(Paragraph)),
    nameDiffers: Schema.optional(Schema.Boolean),
    drawnPng: Schema.optional(Schema.NullOr(Schema.String.annotate({ description: "A PNG picture in base64" })))
  }),
  /** Asked where Condition or MedicationRequest is incomplete; recorded as given. */
  incompleteRecordConfirmed: Schema.optional(Schema.Boolean),
  /** The document of an earlier release that this one replaces. */
  supersedes: Schema.optional(Schema.NullOr(Id))
}).annotate({ identifier: "AuthorizationRequest" })

export type AuthorizationRequest = typeof AuthorizationRequest.Type

export const IncompleteType = Schema.Struct({
  resourceType: ResourceType,
  state: SyncState,
  lastFetch: Schema.NullOr(FetchStatus)
}).annotate({ identifier: "IncompleteType" })

/** Whether the veteran is asked before signing (specification, "States and transitions"). */
export const RoiReadiness = Schema.Struct({
  confirmationRequired: Schema.Boolean,
  incomplete: Schema.Array(IncompleteType)
}).annotate({ identifier: "RoiReadiness" })

export const SignedRelease = Schema.Struct({
  document: Document,
  /** One for each chosen type that is incomplete; they never keep a release from being signed. */
  warnings: Schema.Array(Schema.Struct({ ...IncompleteType.fields, message: Schema.String }))
}).annotate({ identifier: "SignedRelease" })

export class SigningNotConfigured extends ApiError<SigningNotConfigured>()("SigningNotConfigured", {
  code: "service_unavailable",
  status: 503,
  message: "This server has no certificate to sign releases with: ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY."
}) {}
