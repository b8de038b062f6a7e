import { hash } from "node:crypto"
import { consistencyRanges, inclusionRanges, type Range } from "../../domain/MerkleRanges.ts"

/** The Merkle tree of RFC 6962, section 2.1, over SHA-256. Sizes and indexes are whole numbers below 2^53. */

export const emptyRoot: Buffer = hash("sha256", "", "buffer")

export const leafHash = (leaf: string): Buffer => hash("sha256", `\0${leaf}`, "buffer")

/** All nodes are hashed in this buffer. A proof takes two thousand hashes, and each would otherwise allocate one. */
const node = Buffer.alloc(65, 1)

export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => {
  node.set(left, 1)
  node.set(right, 33)
  return hash("sha256", node, "buffer")
}

type Hashes = ReadonlyArray<Uint8Array>

/** Returns true if the number and length of the hashes fit the ranges. */
const fit = (hashes: Hashes, ranges: ReadonlyArray<Range>) =>
  hashes.length === ranges.length && hashes.every(({ length }) => length === 32)

/** Returns the root that the proof leads to, or undefined if it has the wrong number of hashes for index and size. */
export const rootOfInclusion = (index: number, size: number, leaf: Uint8Array, hashes: Hashes) => {
  if (index >= size) return undefined
  const ranges = inclusionRanges(index, size)
  if (!fit(hashes, ranges)) return undefined
  return ranges.reduce(
    (root, { from }, at) => from > index ? nodeHash(root, hashes[at]!) : nodeHash(hashes[at]!, root),
    leaf
  )
}

interface Tree {
  readonly size: number
  readonly root: Uint8Array
}

/** Returns true if the newer tree begins with the older one. */
export const isConsistent = (older: Tree, newer: Tree, hashes: Hashes): boolean => {
  if (older.size > newer.size) return false
  const ranges = consistencyRanges(older.size, newer.size)
  if (!fit(hashes, ranges)) return false
  if (older.size === 0) return emptyRoot.equals(older.root)
  // Both roots are computed from the hash of the older tree's last full subtree. If this subtree is the whole older
  // tree, its hash is the older root. Otherwise its hash is the first in the proof.
  const begun = ranges[0] !== undefined && ranges[0].from < older.size ? 1 : 0
  let olderRoot = begun === 1 ? hashes[0]! : older.root
  let newerRoot = olderRoot
  for (const [at, { from }] of ranges.entries().drop(begun)) {
    if (from >= older.size) newerRoot = nodeHash(newerRoot, hashes[at]!)
    else [olderRoot, newerRoot] = [nodeHash(hashes[at]!, olderRoot), nodeHash(hashes[at]!, newerRoot)]
  }
  return Buffer.compare(olderRoot, older.root) === 0 && Buffer.compare(newerRoot, newer.root) === 0
}

/** A full subtree: `2^level` leaves from `index * 2^level` on. */
export interface Subtree {
  readonly level: number
  readonly index: number
}

/** The full subtrees of a range, from left to right. */
export const subtreesOf = ({ from, to }: Range): ReadonlyArray<Subtree> => {
  const subtrees: Array<Subtree> = []
  let at = from
  while (at < to) {
    let [level, width] = [0, 1]
    while (at % (2 * width) === 0 && at + 2 * width <= to) [level, width] = [level + 1, 2 * width]
    subtrees.push({ level, index: at / width })
    at += width
  }
  return subtrees
}

/** Computes the hash of a range from the hashes of its full subtrees. */
export const rangeHash = (range: Range, hashOf: (subtree: Subtree) => Uint8Array): Uint8Array =>
  subtreesOf(range).map(hashOf).reduceRight((right, left) => nodeHash(left, right))
