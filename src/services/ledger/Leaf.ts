import canonicalize from "canonicalize"
import { Schema } from "effect"
import { randomBytes } from "node:crypto"
import { ProofEvent, providerOf } from "./ProofEvent.ts"

/** A row of `proofs` that is no leaf yet: the event as JSON text, or null where no act of ours wrote it. */
export interface UndrainedProof {
  readonly veteranId: string
  readonly id: string
  readonly kind: string
  /** ISO-8601 in UTC, with milliseconds. */
  readonly at: string | null
  readonly event: string | null
}

const decodeEvent = Schema.decodeUnknownSync(ProofEvent)

export interface Leaf {
  /** Canonical JSON (RFC 8785). Its salt of 256 bits keeps the hash from telling anything of it. */
  readonly text: string
  /** Whom the event concerns beside the veteran. */
  readonly providerId: string | undefined
}

/** Throws where the row cannot become a leaf. */
export const makeLeaf = ({ at, event, id, kind, veteranId }: UndrainedProof): Leaf => {
  const members: object = JSON.parse(event!)
  const providerId = providerOf(decodeEvent(members))
  if (at === null) throw new Error("the event has no moment")
  const salt = randomBytes(32).toString("base64url")
  return {
    text: canonicalize({ ...members, at, id, kind, salt, v: 1, veteranId })!,
    providerId
  }
}
