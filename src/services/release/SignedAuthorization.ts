import canonicalize from "canonicalize"
import { Result } from "effect"
import { createHash } from "node:crypto"
import type { Document } from "../../domain/Document.ts"
import type { DocumentId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { AuthorizationRequest, type PreviewRequest } from "../../domain/Release.ts"
import type { FetchStatus, SyncState } from "../../domain/SyncState.ts"
import { onlyTypes, visibleManifest } from "../record/VisibleManifest.ts"
import { endOf, lint } from "./AuthorizationRules.ts"

/**
 * The signed authorization: the accepted request and what the service knew at that moment. It contains nothing about
 * withheld items, because the recipient's copy contains it. Instants are ISO 8601 in UTC; hashes are in hex.
 */
export interface SignedAuthorization
  extends Omit<AuthorizationRequest, "information" | "sensitiveCategories" | "signature">
{
  readonly documentId: DocumentId
  readonly signedAt: string
  /** The end of the release, even if the event of `expiration` comes later or never. */
  readonly endsAt: string
  readonly information: {
    readonly resourceTypes: ReadonlyArray<string>
    readonly dateFrom: string | null
    readonly dateTo: string | null
    readonly documents: ReadonlyArray<Pick<Document, "id" | "title" | "contentType" | "byteSize" | "sha256">>
  }
  readonly sensitiveCategories: NonNullable<AuthorizationRequest["sensitiveCategories"]>
  readonly incompleteRecordConfirmed: boolean
  readonly supersedes: DocumentId | null
  /** The manifest at signing as the recipient may see it, in the order of the chosen types (section I). */
  readonly record: ReadonlyArray<{
    readonly resourceType: string
    readonly state: SyncState
    readonly lastFetch: FetchStatus | null
    readonly itemCount: number
    readonly lastFetchAt: string | null
    readonly lastCompleteAt: string | null
  }>
  readonly signature: Omit<AuthorizationRequest["signature"], "drawnPng"> & { readonly drawnPngSha256: string | null }
  /**
   * The session in which the authorization was signed. `id` is the session's id, or the token's if it has no session.
   * `how` and `confirmedAt` say how and when the signer last confirmed that they were there.
   */
  readonly session: {
    readonly id: string
    readonly clientAddress: string
    readonly userAgent: string
    readonly how?: "va" | "passkey"
    readonly confirmedAt?: string
  }
}

export type DraftAuthorization = Omit<SignedAuthorization, "session" | "signature" | "statementsAccepted">

/** What the service knows at the moment of signing, besides the request. */
export interface SigningContext {
  readonly documentId: DocumentId
  readonly moment: Date
  readonly manifest: Manifest
  /** Each type with active items has an entry; `released` counts the items that the recipient may see. */
  readonly items: ReadonlyArray<{ readonly resourceType: string; readonly all: number; readonly released: number }>
  readonly uploads: ReadonlyArray<Document>
}

export const authorize = (
  { signature: { drawnPng, ...signature }, statementsAccepted }: AuthorizationRequest,
  draft: DraftAuthorization,
  session: SignedAuthorization["session"]
): SignedAuthorization => ({
  ...draft,
  statementsAccepted,
  signature: {
    ...signature,
    drawnPngSha256: drawnPng ? createHash("sha256").update(Buffer.from(drawnPng, "base64")).digest("hex") : null
  },
  session
})

export const draftAuthorization = (
  { signature: _, statementsAccepted: __, ...request }: PreviewRequest,
  context: SigningContext
): DraftAuthorization => {
  const { information } = request
  const { documentId, items, manifest, moment, uploads } = context
  const released = new Map(items.map(({ released, resourceType }) => [resourceType, released]))
  const visible = visibleManifest(onlyTypes(manifest, information.resourceTypes), released)
  return {
    ...request,
    documentId,
    signedAt: moment.toISOString(),
    endsAt: endOf(request.expiration, moment).toISOString(),
    information: {
      resourceTypes: information.resourceTypes,
      dateFrom: information.dateFrom ?? null,
      dateTo: information.dateTo ?? null,
      documents: (information.documentIds ?? []).map((wanted) => {
        const { byteSize, contentType, id, sha256, title } = uploads.find(({ id }) => id === wanted)!
        return { id, title, contentType, byteSize, sha256 }
      })
    },
    sensitiveCategories: request.sensitiveCategories ?? [],
    incompleteRecordConfirmed: request.incompleteRecordConfirmed ?? false,
    supersedes: request.supersedes ?? null,
    record: information.resourceTypes.map((resourceType) => {
      const { itemCount, lastCompleteAt, lastFetch, lastFetchAt, state } = visible[resourceType] ?? unknownEntry
      return {
        resourceType,
        state,
        lastFetch,
        itemCount,
        lastFetchAt: lastFetchAt?.toISOString() ?? null,
        lastCompleteAt: lastCompleteAt?.toISOString() ?? null
      }
    })
  }
}

/** The signer must confirm sharing one of these if it is incomplete (specification, "States and transitions"). */
export const confirmedTypes: ReadonlyArray<string> = ["Condition", "MedicationRequest"]

export const unknownEntry = {
  state: "unknown",
  lastFetch: null,
  lastFetchAt: null,
  lastCompleteAt: null,
  itemCount: 0
} as const

/** Writes the authorization as RFC 8785 JSON, with the SHA-256 of those bytes. */
export const canonical = (authorization: SignedAuthorization): { readonly json: Buffer; readonly sha256: Buffer } => {
  const json = Buffer.from(canonicalize(authorization)!)
  return { json, sha256: createHash("sha256").update(json).digest() }
}

/** Whether the rules still allow the authorization at `now`. This is checked before each disclosure under it. */
export const isLawful = (json: Uint8Array, now: Date): boolean => {
  const {
    information: { documents, ...information },
    signature: { drawnPngSha256: _, ...signature },
    ...authorization
  } = JSON.parse(Buffer.from(json).toString()) as SignedAuthorization
  const documentIds = documents.map(({ id }) => id)
  const asked = Object.entries(authorization).filter(([key]) => key in AuthorizationRequest.fields)
  const request = {
    ...Object.fromEntries(asked),
    information: { ...information, documentIds },
    signature,
    supersedes: null
  }
  // No query is needed: uploads of a release in force cannot be deleted, and a release that it replaced has ended.
  const facts = {
    now,
    signedAt: new Date(authorization.signedAt),
    uploads: new Set(documentIds),
    inForce: new Set<string>()
  }
  return Result.isSuccess(lint(request, facts))
}
