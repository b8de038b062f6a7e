import type { Range } from "../../domain/MerkleRanges.ts"
import { nodeHash, rangeHash, type Subtree, subtreesOf } from "./MerkleTree.ts"

/**
 * The tree is stored in tiles of height 8 (C2SP tlog-tiles). A tile of level L holds the hashes of up to 256 full
 * subtrees of height 8L, 32 bytes each. The root of a full tile is one of the hashes in a tile of level L + 1.
 */
export interface TileName {
  readonly level: number
  readonly index: number
}

const height = 8

const width = 2 ** height

const hashBytes = 32

const nameOf = ({ index, level }: Subtree): TileName & { readonly entry: number; readonly entries: number } => {
  const entries = 2 ** (level % height)
  const first = index * entries
  return { level: Math.floor(level / height), index: Math.floor(first / width), entry: first % width, entries }
}

const keyOf = ({ index, level }: TileName) => `${level}/${index}`

/** Every tile that these ranges need, each once. */
export const tilesOf = (ranges: ReadonlyArray<Range>): ReadonlyArray<TileName> => {
  const tiles = new Map<string, TileName>()
  for (const subtree of ranges.flatMap(subtreesOf)) {
    const { index, level } = nameOf(subtree)
    tiles.set(keyOf({ index, level }), { index, level })
  }
  return [...tiles.values()]
}

/** A tile is missing, or shorter than the tree needs. */
export class TileMissing extends Error {
  override readonly name = "TileMissing"
}

/** Computes the hash of each range from the tiles that `tilesOf` named. */
export const hashesOf = (
  ranges: ReadonlyArray<Range>,
  tiles: ReadonlyArray<TileName & { readonly hashes: Uint8Array }>
): ReadonlyArray<Uint8Array> => {
  const hashesByTile = new Map(tiles.map((tile) => [keyOf(tile), tile.hashes]))
  return ranges.map((range) =>
    rangeHash(range, (subtree) => {
      const { entries, entry, ...name } = nameOf(subtree)
      const hashes = hashesByTile.get(keyOf(name))?.subarray(entry * hashBytes, (entry + entries) * hashBytes)
      if (hashes?.length !== entries * hashBytes) throw new TileMissing(`tile ${keyOf(name)} is missing or too short`)
      return rootOf(hashes)
    })
  )
}

/** The root of a full tree over these hashes of 32 bytes each. Their number is a power of two. */
const rootOf = (hashes: Uint8Array): Uint8Array => {
  if (hashes.length === hashBytes) return hashes
  const half = hashes.length / 2
  return nodeHash(rootOf(hashes.subarray(0, half)), rootOf(hashes.subarray(half)))
}
