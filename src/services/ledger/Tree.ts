import { Effect } from "effect"
import type * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { emptyRoot, type Range } from "./MerkleTree.ts"
import { hashesOf, tilesOf } from "./Tiles.ts"

type Repository = ReturnType<typeof TreeRepository.make>

/** The hash of each range, by one statement that reads a few tiles; dies of `TileMissing` where the tree has no such leaves. */
export const readHashes = (tree: Repository, ranges: ReadonlyArray<Range>): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  ranges.length === 0
    ? Effect.succeed([])
    : Effect.map(tree.tiles(tilesOf(ranges)), (tiles) => hashesOf(ranges, tiles))

/** The root that the tree had when it was of this size. */
export const rootAt = (tree: Repository, size: number): Effect.Effect<Uint8Array> =>
  size === 0 ? Effect.succeed(emptyRoot) : Effect.map(readHashes(tree, [{ from: 0, to: size }]), ([root]) => root!)
