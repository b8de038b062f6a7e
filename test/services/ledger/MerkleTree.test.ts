import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { consistencyRanges, inclusionRanges, type Range } from "../../../src/domain/MerkleRanges.ts"
import {
  emptyRoot,
  isConsistent,
  leafHash,
  nodeHash,
  rangeHash,
  rootOfInclusion
} from "../../../src/services/ledger/MerkleTree.ts"
import { hashesOf, TileMissing, tilesOf } from "../../../src/services/ledger/Tiles.ts"

/** These functions follow RFC 6962, 2.1 to 2.1.2, word for word, over the leaves' texts. */
const sha256 = (...parts: ReadonlyArray<string | Uint8Array>) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest()

const half = (n: number) => {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

const mth = (leaves: ReadonlyArray<string>): Buffer => {
  if (leaves.length === 0) return sha256("")
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!)
  const k = half(leaves.length)
  return sha256(Buffer.of(1), mth(leaves.slice(0, k)), mth(leaves.slice(k)))
}

const path = (m: number, leaves: ReadonlyArray<string>): ReadonlyArray<Buffer> => {
  if (leaves.length === 1) return []
  const k = half(leaves.length)
  return m < k
    ? [...path(m, leaves.slice(0, k)), mth(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), mth(leaves.slice(0, k))]
}

const subproof = (m: number, leaves: ReadonlyArray<string>, whole: boolean): ReadonlyArray<Buffer> => {
  if (m === leaves.length) return whole ? [] : [mth(leaves)]
  const k = half(leaves.length)
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), mth(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), mth(leaves.slice(0, k))]
}

const leavesOf = (size: number) => Array.from({ length: size }, (_, n) => `leaf ${n}`)

/** All tiles of a tree, in the form of C2SP tlog-tiles. */
const tilesFor = (leaves: ReadonlyArray<string>) => {
  const tiles: Array<{ level: number; index: number; hashes: Uint8Array }> = []
  let entries: Array<Uint8Array> = leaves.map(leafHash)
  for (let level = 0; entries.length > 0; level++) {
    const above: Array<Uint8Array> = []
    for (let index = 0; index * 256 < entries.length; index++) {
      const tile = entries.slice(index * 256, (index + 1) * 256)
      tiles.push({ level, index, hashes: Buffer.concat(tile) })
      if (tile.length === 256) {
        above.push(rangeHash({ from: 0, to: 256 }, ({ index, level }) => level === 8 ? full(tile) : tile[index]!))
      }
    }
    entries = above
  }
  return tiles
}

const full = (hashes: ReadonlyArray<Uint8Array>): Uint8Array =>
  hashes.length === 1
    ? hashes[0]!
    : nodeHash(full(hashes.slice(0, hashes.length / 2)), full(hashes.slice(hashes.length / 2)))

const hex = (hashes: ReadonlyArray<Uint8Array>) => hashes.map((hash) => Buffer.from(hash).toString("hex"))

const read = (ranges: ReadonlyArray<Range>, tiles: ReturnType<typeof tilesFor>) => {
  const wanted = tilesOf(ranges)
  return hashesOf(
    ranges,
    tiles.filter((tile) => wanted.some(({ index, level }) => index === tile.index && level === tile.level))
  )
}

const size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 600 }))

const part = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

describe("The tree", () => {
  it("has the hashes of RFC 6962's test vectors", () => {
    // Certificate Transparency's reference vectors (google/certificate-transparency, merkle_tree_test.cc).
    assert.strictEqual(emptyRoot.toString("hex"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    assert.strictEqual(leafHash("").toString("hex"), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
    assert.strictEqual(
      nodeHash(leafHash(""), leafHash("\0")).toString("hex"),
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
    )
  })

  it.effect.prop(
    "reads from its tiles the proofs and roots that RFC 6962 defines",
    { size, at: part },
    ({ at, size }) =>
      Effect.sync(() => {
        const leaves = leavesOf(size)
        const tiles = tilesFor(leaves)
        const index = Math.floor(at * (size - 1))
        assert.deepStrictEqual(hex(read([{ from: 0, to: size }], tiles)), hex([mth(leaves)]))
        assert.deepStrictEqual(hex(read(inclusionRanges(index, size), tiles)), hex(path(index, leaves)))
        assert.deepStrictEqual(
          hex(read(consistencyRanges(index + 1, size), tiles)),
          hex(subproof(index + 1, leaves, true))
        )
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect.prop(
    "distinguishes a true proof from any other",
    { size, at: part, bit: part, drop: part },
    ({ at, bit, drop, size }) =>
      Effect.sync(() => {
        const leaves = leavesOf(size)
        const [index, root] = [Math.floor(at * (size - 1)), mth(leaves)]
        const inclusion = path(index, leaves)
        const isIncluded = (n: number, text: string, hashes: ReadonlyArray<Uint8Array>) =>
          root.equals(rootOfInclusion(n, size, leafHash(text), hashes) ?? Buffer.of())
        assert.isTrue(isIncluded(index, leaves[index]!, inclusion))
        assert.isFalse(isIncluded(index, "another", inclusion))
        assert.isFalse(isIncluded(size, leaves[index]!, inclusion))
        assert.isFalse(isIncluded(index, leaves[index]!, [...inclusion, root]))
        if (size > 1) assert.isFalse(isIncluded(index === 0 ? 1 : index - 1, leaves[index]!, inclusion))

        const older = { size: index + 1, root: mth(leaves.slice(0, index + 1)) }
        const consistency = subproof(older.size, leaves, true)
        assert.isTrue(isConsistent(older, { size, root }, consistency))
        assert.isFalse(isConsistent({ ...older, root: emptyRoot }, { size, root }, consistency))
        assert.isFalse(isConsistent(older, { size, root: emptyRoot }, consistency))
        assert.isFalse(isConsistent({ size, root }, older, older.size === size ? [root] : consistency))
        assert.isTrue(isConsistent({ size: 0, root: emptyRoot }, { size, root }, []))
        assert.isFalse(isConsistent({ size: 0, root }, { size, root }, []))

        for (
          const [hashes, holds] of [
            [inclusion, (changed: ReadonlyArray<Uint8Array>) => isIncluded(index, leaves[index]!, changed)],
            [consistency, (changed: ReadonlyArray<Uint8Array>) => isConsistent(older, { size, root }, changed)]
          ] as const
        ) {
          if (hashes.length === 0) continue
          const place = Math.floor(drop * (hashes.length - 1))
          assert.isFalse(holds(hashes.toSpliced(place, 1)))
          for (const wrong of [31, 33]) assert.isFalse(holds(hashes.with(place, Buffer.alloc(wrong))))
          const flipped = Buffer.from(hashes[place]!)
          flipped[Math.floor(bit * 31)]! ^= 1
          assert.isFalse(holds(hashes.with(place, flipped)))
        }
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect.prop(
    "with over 2^31 leaves has proofs from few tiles, with hardly more hashes than its height",
    {
      size: Schema.Int.check(Schema.isBetween({ minimum: 2 ** 31, maximum: Number.MAX_SAFE_INTEGER })),
      at: part,
      split: part
    },
    ({ at, size, split }) =>
      Effect.sync(() => {
        const height = Math.ceil(Math.log2(size))
        const index = Math.floor(at * (size - 1))
        const inclusion = inclusionRanges(index, size)
        assert.isAtMost(inclusion.length, height)
        assert.isAtMost(tilesOf(inclusion).length, 2 * Math.ceil(height / 8))
        // The ranges and the leaf itself together cover every leaf of the tree exactly once.
        const covered = [...inclusion, { from: index, to: index + 1 }].sort((a, b) => a.from - b.from)
        assert.strictEqual(covered[0]!.from, 0)
        assert.strictEqual(covered.at(-1)!.to, size)
        assert.isTrue(covered.every(({ from }, n) => n === 0 || covered[n - 1]!.to === from))
        const older = Math.max(1, Math.floor(split * size))
        assert.isAtMost(consistencyRanges(older, size).length, height + 1)
        assert.isAtMost(tilesOf(consistencyRanges(older, size)).length, 3 * Math.ceil(height / 8))
      }),
    { arbitrary: { runs: 200 } }
  )

  it("reports which tile is missing or too short", () => {
    assert.throws(() => hashesOf([{ from: 0, to: 3 }], []), TileMissing, "tile 0/0 is missing or too short")
    const [tile] = tilesFor(leavesOf(2))
    assert.throws(() => hashesOf([{ from: 0, to: 3 }], [tile!]), TileMissing)
  })
})
