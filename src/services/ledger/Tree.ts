import { Effect } from "effect"
import type { Range } from "../../domain/MerkleRanges.ts"
import type * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { emptyRoot } from "./MerkleTree.ts"
import { hashesOf, tilesOf } from "./Tiles.ts"

type Repository = ReturnType<typeof TreeRepository.make>

/** Reads the hashes of all ranges in one statement. Dies with `TileMissing` if the tree lacks the leaves. */
export const readHashes = (tree: Repository, ranges: ReadonlyArray<Range>): Effect.Effect<ReadonlyArray<Uint8Array>> =>
  ranges.length === 0
    ? Effect.succeed([])
    : Effect.map(tree.tiles(tilesOf(ranges)), (tiles) => hashesOf(ranges, tiles))

export const rootAt = (tree: Repository, size: number): Effect.Effect<Uint8Array> =>
  size === 0 ? Effect.succeed(emptyRoot) : Effect.map(readHashes(tree, [{ from: 0, to: size }]), ([root]) => root!)
