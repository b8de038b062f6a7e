import { Schema } from "effect"
import { ApiError } from "./Errors.ts"

/** A number of leaves in the Merkle tree, or the index of a leaf. */
export const TreeCount = Schema.Number.check(
  Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  Schema.isInt()
)

const Hash = Schema.String.annotate({ description: "SHA-256 in base64 (RFC 4648, section 4)" })

export const InclusionProof = Schema.Struct({
  leaf: Schema.String.annotate({ description: "Canonical JSON (RFC 8785), whose UTF-8 was hashed" }),
  salt: Schema.String.annotate({ description: "32 random bytes, base64url; it is in the leaf too" }),
  leafHash: Hash,
  index: TreeCount,
  treeSize: TreeCount,
  hashes: Schema.Array(Hash).annotate({ description: "From the leaf's sibling to the root's child (RFC 6962, 2.1.1)" }),
  checkpoint: Schema.String.annotate({ description: "Signed note (C2SP tlog-checkpoint) of the tree of `treeSize`" })
}).annotate({ identifier: "InclusionProof" })

export type InclusionProof = typeof InclusionProof.Type

export const ConsistencyProof = Schema.Struct({
  from: TreeCount,
  to: TreeCount,
  hashes: Schema.Array(Hash).annotate({ description: "RFC 6962, 2.1.2; empty where `from` is 0 or `to`" })
}).annotate({ identifier: "ConsistencyProof" })

export type ConsistencyProof = typeof ConsistencyProof.Type

export const DrainOutcome = Schema.Struct({ drained: TreeCount, treeSize: TreeCount }).annotate({
  identifier: "DrainOutcome"
})

export type DrainOutcome = typeof DrainOutcome.Type

export class ProofsNotConfigured extends ApiError<ProofsNotConfigured>()("ProofsNotConfigured", {
  code: "service_unavailable",
  status: 503,
  message: "This server has no key to sign the account of disclosures with: PROOF_SIGNING_KEY."
}) {}
