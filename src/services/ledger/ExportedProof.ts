import { Option, Schema } from "effect"
import { ConsistencyProof, InclusionProof } from "../../domain/Proof.ts"
import type { Checkpoint } from "../../domain/SignedNote.ts"
import { openCheckpoint } from "./Checkpoint.ts"
import { isConsistent, leafHash, rootOfInclusion } from "./MerkleTree.ts"
import type { NoteKey } from "./SignedNote.ts"
import { parseTlogProof } from "./TlogProof.ts"

/** The outcome of checking an export with the log's key alone, without network or database. */
export type Verdict = { readonly valid: boolean; readonly sentence: string }

const valid = (sentence: string): Verdict => ({ valid: true, sentence })

const invalid = (sentence: string): Verdict => ({ valid: false, sentence })

const decodeInclusion = Schema.decodeOption(Schema.fromJsonString(InclusionProof))

const decodeConsistency = Schema.decodeOption(Schema.fromJsonString(ConsistencyProof))

const decodeLeaf = Schema.decodeOption(
  Schema.fromJsonString(
    Schema.Struct({ id: Schema.String, kind: Schema.String, at: Schema.String, salt: Schema.String })
  )
)

const notSigned = (key: NoteKey) =>
  `the checkpoint is not one of the log ${key.name}, signed by the key ${key.id}, or it was changed`

/**
 * Checks that an event is in the log. `text` is either the JSON of a proof, which contains the leaf, or a
 * `.tlog-proof`. A `.tlog-proof` does not contain the leaf, so it also needs `leafText`.
 */
export const verifyInclusion = (text: string, leafText: string | undefined, key: NoteKey): Verdict => {
  const tlog = parseTlogProof(text)
  if (tlog !== undefined) {
    if (leafText === undefined) return invalid("a .tlog-proof does not hold the event: give its text with --leaf")
    return verifyLeaf({ ...tlog, leaf: leafText }, key)
  }
  const json = decodeInclusion(text)
  if (Option.isNone(json)) return invalid("the file is neither the JSON of a proof nor a .tlog-proof")
  const { leaf, salt, treeSize } = json.value
  const hash = leafHash(leaf).toString("base64")
  if (leafText !== undefined && leafText !== leaf) return invalid("the proof is of another event than the given one")
  if (hash !== json.value.leafHash) {
    return invalid("the text of the event was changed: it does not have its leaf's hash")
  }
  const decoded = decodeLeaf(leaf)
  if (Option.isNone(decoded) || decoded.value.salt !== salt) return invalid("the salt is not the one in the event")
  const checkpoint = openCheckpoint(json.value.checkpoint, key)
  if (checkpoint !== undefined && checkpoint.size !== treeSize) {
    return invalid(`the proof is for ${treeSize} events, and its checkpoint for ${checkpoint.size}`)
  }
  return verifyLeaf(json.value, key)
}

interface LeafProof {
  readonly leaf: string
  readonly index: number
  readonly hashes: ReadonlyArray<string>
  readonly checkpoint: string
}

const verifyLeaf = ({ checkpoint: note, hashes, index, leaf }: LeafProof, key: NoteKey): Verdict => {
  const checkpoint = openCheckpoint(note, key)
  if (checkpoint === undefined) return invalid(notSigned(key))
  const root = rootOfInclusion(index, checkpoint.size, leafHash(leaf), bytesOf(hashes))
  if (root === undefined || Buffer.compare(root, checkpoint.root) !== 0) {
    return invalid(`the event is not number ${index} of the ${checkpoint.size} events that the checkpoint stands for`)
  }
  const of = Option.match(decodeLeaf(leaf), {
    onNone: () => "",
    onSome: ({ at, id, kind }) => ` ${id} (${kind}, ${at})`
  })
  return valid(`the event${of} is number ${index + 1} of the ${checkpoint.size} events of ${key.name}`)
}

const bytesOf = (hashes: ReadonlyArray<string>) => hashes.map((hash) => Buffer.from(hash, "base64"))

/** Returns the checkpoint in a proof. A text that is not a proof is returned as the checkpoint itself. */
const checkpointIn = (text: string) =>
  parseTlogProof(text)?.checkpoint ??
    Option.match(decodeInclusion(text), { onNone: () => text, onSome: ({ checkpoint }) => checkpoint })

/** Checks that the newer tree begins with the older one. Checkpoints of the same size need no proof. */
export const verifyConsistency = (older: string, newer: string, proof: string | undefined, key: NoteKey): Verdict => {
  const [from, to] = [openCheckpoint(checkpointIn(older), key), openCheckpoint(checkpointIn(newer), key)]
  if (from === undefined) return invalid(`the older file: ${notSigned(key)}`)
  if (to === undefined) return invalid(`the newer file: ${notSigned(key)}`)
  if (from.size > to.size) return invalid(`events were removed: the older has ${from.size}, the newer ${to.size}`)
  if (proof === undefined) return sameSize(from, to)
  const decoded = decodeConsistency(proof)
  if (Option.isNone(decoded)) return invalid("the file given with --consistency is no consistency proof")
  if (decoded.value.from !== from.size || decoded.value.to !== to.size) {
    return invalid(
      `the consistency proof is from ${decoded.value.from} to ${decoded.value.to} events, the checkpoints are of ${from.size} and ${to.size}`
    )
  }
  return isConsistent(from, to, bytesOf(decoded.value.hashes))
    ? valid(`the first ${from.size} of the ${to.size} events of ${key.name} are as they were`)
    : invalid(`events were changed: the first ${from.size} of the newer checkpoint are not those of the older one`)
}

const sameSize = (from: Checkpoint, to: Checkpoint) => {
  if (from.size !== to.size) {
    return invalid(
      `the checkpoints are of ${from.size} and ${to.size} events: give the proof between them with --consistency`
    )
  }
  return Buffer.compare(from.root, to.root) === 0
    ? valid(`both checkpoints stand for the same ${to.size} events`)
    : invalid(`events were changed: both checkpoints are of ${to.size} events, and they are not the same`)
}
