import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { inclusionRanges } from "../../../src/domain/MerkleRanges.ts"
import type { InclusionProof } from "../../../src/domain/Proof.ts"
import { signCheckpoint } from "../../../src/services/ledger/Checkpoint.ts"
import { verifyInclusion } from "../../../src/services/ledger/ExportedProof.ts"
import { makeLeaf } from "../../../src/services/ledger/Leaf.ts"
import { leafHash, rangeHash } from "../../../src/services/ledger/MerkleTree.ts"
import {
  generateKey,
  parsePrivateKey,
  parsePublicKey,
  publicKeyText,
  signNote
} from "../../../src/services/ledger/SignedNote.ts"
import { checkInclusion, type ShownEvent } from "../../../web/veteran/looks/InclusionCheck.ts"

/** The service's own code makes each log and judges each proof. The page's check must agree with it. */

const signer = parsePrivateKey(generateKey("log.example/disclosures")!)!

const other = parsePrivateKey(generateKey("log.example/disclosures")!)!

const keyText = publicKeyText(signer)

const veteranId = "0198c0de-0000-7000-8000-000000000001"

const eventOf = (n: number): ShownEvent => ({
  veteranId,
  id: `0198c0de-0000-7000-8000-${`${n}`.padStart(12, "0")}`,
  kind: "record_viewed",
  at: new Date(1_790_000_000_000 + n),
  actor: { kind: "provider", id: "0198c0de-0000-7000-8000-00000000000a" },
  grantId: "0198c0de-0000-7000-8000-00000000000b" as never,
  resourceTypes: { Condition: n, AllergyIntolerance: 2 }
})

const leafOf = ({ actor, at, grantId, id, kind, resourceTypes, veteranId }: ShownEvent) =>
  makeLeaf({
    veteranId,
    id,
    kind,
    at: at.toISOString(),
    event: JSON.stringify({ actor, grantId, providerId: actor.id, resourceTypes })
  }).text

/** A log of this size, and the proof of one of its events. */
const logOf = (size: number, index: number) => {
  const leaves = Array.from({ length: size }, (_, n) => leafOf(eventOf(n)))
  const hashes = leaves.map(leafHash)
  const hashOf = (range: { readonly from: number; readonly to: number }): Uint8Array =>
    rangeHash(range, ({ index, level }) => level === 0 ? hashes[index]! : halves(index, level))
  const halves = (index: number, level: number): Uint8Array => {
    const [from, half] = [index * 2 ** level, 2 ** (level - 1)]
    return nodeOf(hashOf({ from, to: from + half }), hashOf({ from: from + half, to: from + 2 * half }))
  }
  const nodeOf = (left: Uint8Array, right: Uint8Array) =>
    rangeHash({ from: 0, to: 3 }, ({ level }) => level === 1 ? left : right)
  const leaf = leaves[index]!
  const proof: InclusionProof = {
    leaf,
    salt: JSON.parse(leaf).salt,
    leafHash: leafHash(leaf).toString("base64"),
    index,
    treeSize: size,
    hashes: inclusionRanges(index, size).map((range) => Buffer.from(hashOf(range)).toString("base64")),
    checkpoint: signCheckpoint(signer, { size, root: hashOf({ from: 0, to: size }) })
  }
  return { proof, event: eventOf(index) }
}

const size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 70 }))

const part = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const flipped = (base64: string, at: number) => {
  const bytes = Buffer.from(base64, "base64")
  bytes[Math.floor(at * (bytes.length - 1))]! ^= 1
  return bytes.toString("base64")
}

const judged = (proof: InclusionProof) =>
  verifyInclusion(JSON.stringify(proof), undefined, parsePublicKey(keyText)!).valid

describe("The check of a line", () => {
  it.effect.prop(
    "accepts every true proof, as the service's own check does",
    { size, at: part },
    ({ at, size }) =>
      Effect.promise(async () => {
        const { event, proof } = logOf(size, Math.floor(at * (size - 1)))
        assert.isTrue(judged(proof))
        assert.strictEqual(await checkInclusion(proof, event, keyText), "proved")
      }),
    { arbitrary: { runs: 40 } }
  )

  it.effect.prop(
    "tells every changed proof, as the service's own check does",
    { size, at: part, where: part, of: part },
    ({ at, of, size, where }) =>
      Effect.promise(async () => {
        const index = Math.floor(at * (size - 1))
        const { event, proof } = logOf(size, index)
        const place = Math.floor(of * (proof.hashes.length - 1))
        const [text, signature] = proof.checkpoint.split("\n\n") as [string, string]
        const signed = signature.trimEnd().split(" ").at(-1)!
        const changes: ReadonlyArray<Partial<InclusionProof>> = [
          { leaf: proof.leaf.replace("record_viewed", "record_vieweD") },
          { leaf: proof.leaf.replace("\"v\":1", "\"v\":2") },
          { salt: flipped(proof.salt, where) },
          { leafHash: flipped(proof.leafHash, where) },
          { index: index + 1 },
          { treeSize: size + 1 },
          { hashes: [...proof.hashes, proof.leafHash] },
          ...proof.hashes.length === 0 ? [] : [
            { hashes: proof.hashes.toSpliced(place, 1) },
            { hashes: proof.hashes.with(place, flipped(proof.hashes[place]!, where)) },
            { hashes: proof.hashes.with(place, "AAAA") },
            { hashes: proof.hashes.with(place, "not base64") }
          ],
          { checkpoint: proof.checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`) },
          { checkpoint: proof.checkpoint.replace(signed, flipped(signed, where)) },
          { checkpoint: `${text}\n` },
          { checkpoint: signNote(other, `${text}\n`) },
          { checkpoint: signNote(signer, `another.log\n${text.split("\n").slice(1).join("\n")}\n`) },
          { checkpoint: "" }
        ]
        for (const change of changes) {
          const changed = { ...proof, ...change }
          assert.isFalse(judged(changed), JSON.stringify(change))
          assert.strictEqual(await checkInclusion(changed, event, keyText), "mismatch", JSON.stringify(change))
        }
      }),
    { arbitrary: { runs: 40 } }
  )

  it("tells a true proof of another event, even where it differs in one member alone", async () => {
    const { event, proof } = logOf(5, 2)
    const others: ReadonlyArray<Partial<ShownEvent>> = [
      eventOf(3),
      { id: eventOf(3).id },
      { kind: "document_read" },
      { at: new Date(event.at.getTime() + 1) },
      { veteranId: eventOf(3).id },
      { actor: { kind: "provider", id: eventOf(3).id } },
      { actor: { kind: "app", id: event.actor.id! } },
      { resourceTypes: { Condition: 3, AllergyIntolerance: 2 } },
      { grantId: eventOf(3).id as never },
      { linkId: eventOf(3).id as never }
    ]
    for (const change of others) {
      const shown = { ...event, ...change }
      assert.strictEqual(await checkInclusion(proof, shown, keyText), "mismatch", JSON.stringify(change))
    }
  })

  it("tells another key of the same log, and a text that is no key", async () => {
    const { event, proof } = logOf(5, 2)
    for (
      const key of [
        publicKeyText(other),
        keyText.replace(/\+[0-9a-f]{8}\+/, "+00000000+"),
        keyText.slice(0, -4),
        ""
      ]
    ) assert.strictEqual(await checkInclusion(proof, event, key), "mismatch", key)
  })
})
