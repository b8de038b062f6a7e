import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { DocumentId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { Count, Instant, Sha256 } from "./Scalars.ts"

export const ReleaseStatus = Schema.Literals(["in_force", "expired", "revoked", "superseded"])

export const Document = Schema.Struct({
  id: DocumentId,
  kind: Schema.Literals(["roi", "upload"]),
  title: Schema.String,
  contentType: Schema.String,
  byteSize: Count,
  sha256: Sha256,
  createdAt: Instant,
  signedAt: Schema.NullOr(Instant),
  /** For a signed release: whether information may still be released under it. */
  release: Schema.NullOr(Schema.Struct({
    status: ReleaseStatus,
    endsAt: Instant,
    revokedAt: Schema.NullOr(Instant),
    supersededBy: Schema.NullOr(DocumentId),
    /** The hash of the canonical authorization, which is printed on each page of the document. */
    authorizationSha256: Sha256
  }))
}).annotate({ identifier: "Document" })

export type Document = typeof Document.Type

export const DocumentPage = PageOf(Document)

/** A release's title begins so. The recipient's name follows. */
export const releaseTitle = "Release of information to "

export class DocumentNeeded extends ApiError<DocumentNeeded>()("DocumentNeeded", {
  code: "conflict",
  status: 409,
  message: "A release in force needs this document. Revoke the release first."
}) {}

export class StorageFull extends ApiError<StorageFull>()("StorageFull", {
  code: "storage_full",
  status: 507,
  message: "There is no room left for this file. It was not saved."
}) {}
