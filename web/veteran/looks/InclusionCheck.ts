import { Option, Schema } from "effect"
import { ActorKind, type Disclosure } from "../../../src/domain/Disclosure.ts"
import { inclusionRanges } from "../../../src/domain/MerkleRanges.ts"
import type { InclusionProof } from "../../../src/domain/Proof.ts"
import { canonicalBase64, idInput, keyId, readCheckpoint, readKey, readNote } from "../../../src/domain/SignedNote.ts"

/**
 * The result of a check. `unsigned` means that all matches, but that this browser cannot check Ed25519 signatures
 * (RFC 8032), so that anybody may have made the proof.
 */
export type Verdict = "proved" | "mismatch" | "unsigned"

/** The event that the screen shows, and whose record it is about. */
export type ShownEvent =
  & Pick<Disclosure, "id" | "kind" | "at" | "actor" | "resourceTypes" | "grantId" | "documentId" | "linkId">
  & { readonly veteranId: string }

const decodeLeaf = Schema.decodeOption(Schema.fromJsonString(Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  at: Schema.String,
  veteranId: Schema.String,
  salt: Schema.String,
  actor: Schema.Struct({ kind: ActorKind, id: Schema.optionalKey(Schema.String) }),
  grantId: Schema.optionalKey(Schema.String),
  documentId: Schema.optionalKey(Schema.String),
  linkId: Schema.optionalKey(Schema.String),
  resourceTypes: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite))
})))

const bytesOf = (text: string) => new TextEncoder().encode(text)

const hash = async (...parts: ReadonlyArray<Uint8Array>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(parts.flatMap((part) => [...part]))))

const equal = (a: Uint8Array | undefined, b: Uint8Array) =>
  a?.length === b.length && a.every((byte, at) => byte === b[at])

const inOrder = (counts: Readonly<Record<string, number>> = {}) => JSON.stringify(Object.entries(counts).sort())

/** Whether the leaf is the shown event, and no other one of the log. */
const isLeafOf = ({ leaf, salt }: InclusionProof, event: ShownEvent) =>
  Option.exists(
    decodeLeaf(leaf),
    (written) =>
      written.salt === salt && written.at === event.at.toISOString() && written.actor.kind === event.actor.kind &&
      written.actor.id === event.actor.id && inOrder(written.resourceTypes) === inOrder(event.resourceTypes) &&
      (["id", "kind", "veteranId", "grantId", "documentId", "linkId"] as const).every((member) =>
        written[member] === event[member]
      )
  )

/** The root that the hashes lead to (RFC 6962, 2.1.1), or undefined if their number or length is wrong. */
const rootOf = async ({ hashes, index, treeSize }: InclusionProof, leafHash: Uint8Array) => {
  if (index >= treeSize) return undefined
  const ranges = inclusionRanges(index, treeSize)
  const siblings = hashes.map(canonicalBase64)
  if (siblings.length !== ranges.length) return undefined
  let root = leafHash
  for (const [at, { from }] of ranges.entries()) {
    const sibling = siblings[at]
    if (sibling?.length !== 32) return undefined
    root = from > index ? await hash(node, root, sibling) : await hash(node, sibling, root)
  }
  return root
}

const leafMark = Uint8Array.of(0)

const node = Uint8Array.of(1)

/** Whether the key made every one of these signatures. If this browser cannot tell, it is undefined. */
const isSigned = async (raw: Uint8Array, text: string, signatures: ReadonlyArray<Uint8Array>) => {
  try {
    const key = await crypto.subtle.importKey("raw", new Uint8Array(raw), "Ed25519", false, ["verify"])
    const checked = await Promise.all(
      signatures.map((signature) => crypto.subtle.verify("Ed25519", key, new Uint8Array(signature), bytesOf(text)))
    )
    return checked.every((one) => one)
  } catch (error) {
    return error instanceof DOMException && error.name === "NotSupportedError" ? undefined : false
  }
}

/**
 * Checks on this device that the event is in the log as it was signed. The leaf must be this event, and the hashes must
 * lead from it to the root of the checkpoint. The log's key must have signed the checkpoint.
 */
export const checkInclusion = async (proof: InclusionProof, event: ShownEvent, keyText: string): Promise<Verdict> => {
  if (!isLeafOf(proof, event)) return "mismatch"
  const leafHash = await hash(leafMark, bytesOf(proof.leaf))
  if (!equal(canonicalBase64(proof.leafHash), leafHash)) return "mismatch"
  const key = readKey(keyText)
  const note = readNote(proof.checkpoint)
  if (key === undefined || note === undefined) return "mismatch"
  if (keyId(await hash(idInput(key.name, key.raw))) !== key.id) return "mismatch"
  const checkpoint = readCheckpoint(note.text, key.name)
  if (checkpoint === undefined || checkpoint.size !== proof.treeSize) return "mismatch"
  if (!equal(await rootOf(proof, leafHash), checkpoint.root)) return "mismatch"
  const own = note.signatures.filter(({ id, name }) => name === key.name && id === key.id)
  if (own.length === 0) return "mismatch"
  const signed = await isSigned(key.raw, note.text, own.map(({ signature }) => signature))
  return signed === undefined ? "unsigned" : signed ? "proved" : "mismatch"
}
