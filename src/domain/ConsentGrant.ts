import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { ClientId, GrantId, ProviderId, SentGrantId, SentProviderId, VeteranId } from "./Id.ts"
import { ResourceType } from "./Manifest.ts"
import { PageOf } from "./Page.ts"
import { perDay } from "./RateLimit.ts"
import { Instant, SentInstant, Text } from "./Scalars.ts"
import { notSearched, SensitiveCategory } from "./SensitiveCategory.ts"

export class ConsentRequired extends ApiError<ConsentRequired>()("ConsentRequired", {
  code: "consent_required",
  status: 403,
  message: "No active consent grant of this veteran covers what is asked."
}) {}

export const grantLimits = {
  /** The maximum number of a veteran's active grants: to all providers and apps together, and to any one of them. */
  perVeteran: 100,
  perProvider: 5,
  /** Lists show at most this many that have ended. Older ones are in the account of disclosures and in the export. */
  endedShown: 2000
} as const

/** Grants that a veteran gives to providers and apps together, those that are revoked again too. */
export const grantsGiven = perDay(100)

/** What one provider may read of a veteran's record, until the grant expires. */
export const NewConsentGrant = Schema.Struct({
  providerId: SentProviderId,
  resourceTypes: Schema.NullOr(Schema.Array(ResourceType).check(Schema.isMinLength(1), Schema.isMaxLength(200)))
    .annotate({ description: "Null: every type" }),
  /** Specially protected information is included only if its category is in this list (38 U.S.C. 7332). */
  sensitiveCategories: Schema.Array(SensitiveCategory)
    .annotate({ description: `Included only by name. ${notSearched}` })
    .check(Schema.isMaxLength(10)),
  includeSelfReported: Schema.Boolean,
  includeDocuments: Schema.Boolean,
  purpose: Text(500),
  expiresAt: SentInstant,
  /** An active grant to the same provider, which ends in the same step. */
  supersedes: Schema.optional(SentGrantId)
}).annotate({ identifier: "NewConsentGrant" })

const NamedProvider = Schema.Struct({ displayName: Schema.String, organization: Schema.String })

/** The members of every grant, to a provider or an app. */
const terms = {
  resourceTypes: Schema.NullOr(Schema.Array(Schema.String)),
  sensitiveCategories: Schema.Array(Schema.String),
  includeSelfReported: Schema.Boolean,
  includeDocuments: Schema.Boolean,
  purpose: Schema.String,
  status: Schema.Literals(["active", "revoked", "expired"]),
  grantedAt: Instant,
  expiresAt: Instant,
  revokedAt: Schema.NullOr(Instant)
}

/** A grant as its veteran sees it. Either the provider or the app is null. */
export const ConsentGrant = Schema.Struct({
  id: GrantId,
  veteranId: VeteranId,
  providerId: Schema.NullOr(ProviderId),
  provider: Schema.NullOr(NamedProvider),
  app: Schema.NullOr(Schema.Struct({ clientId: ClientId, name: Schema.String })),
  scope: Schema.NullOr(Schema.String).annotate({
    description: "What the app was granted, in the words of SMART App Launch"
  }),
  ...terms
}).annotate({ identifier: "ConsentGrant" })

export type ConsentGrant = typeof ConsentGrant.Type

export const ProviderGrant = Schema.Struct({
  id: GrantId,
  veteranId: VeteranId,
  providerId: ProviderId,
  provider: NamedProvider,
  ...terms
}).annotate({ identifier: "ProviderGrant" })

export type ProviderGrant = typeof ProviderGrant.Type

export const ConsentGrantPage = PageOf(ConsentGrant)
