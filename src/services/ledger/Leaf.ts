import canonicalize from "canonicalize"
import { Schema } from "effect"
import { randomBytes } from "node:crypto"
import { ProofEvent } from "./ProofEvent.ts"

/** A row of `proofs` that is not yet a leaf. `event` is JSON text, or null if it is missing or too long. */
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
  /** Canonical JSON (RFC 8785). Its salt of 256 bits keeps the hash from revealing the event. */
  readonly text: string
  readonly event: ProofEvent
}

/** Throws if the row cannot become a leaf. */
export const makeLeaf = ({ at, event, id, kind, veteranId }: UndrainedProof): Leaf => {
  const members: object = JSON.parse(event!)
  const read = decodeEvent(members)
  if (at === null) throw new Error("the event has no moment")
  const salt = randomBytes(32).toString("base64url")
  return {
    text: canonicalize({ ...members, at, id, kind, salt, v: 1, veteranId })!,
    event: read
  }
}
