import { Context, Effect, Layer, Option, Schema } from "effect"
import { Conflict, InvalidRequest, NotFound, orNotFound, type SealBroken } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { consistencyRanges, inclusionRanges } from "../../domain/MerkleRanges.ts"
import type { ConsistencyProof, InclusionProof, ProofsNotConfigured } from "../../domain/Proof.ts"
import { Actors } from "../../sql/Actor.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as LeafRepository from "../../sql/ledger/LeafRepository.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { makePace } from "../platform/Pace.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { signCheckpoint } from "./Checkpoint.ts"
import { emptyRoot } from "./MerkleTree.ts"
import { ProofSigner } from "./ProofSigner.ts"
import { publicKeyText } from "./SignedNote.ts"
import { hashesOf, tilesOf } from "./Tiles.ts"
import { readHashes } from "./Tree.ts"

const notDrained = "The event is not in the tree yet: ask again in a minute or two."

const setAside = "The event could not be put into the tree. The operator of the service has been told."

const forgotten = "What this event says was erased: its hash is in the tree, and there is nothing left to prove."

/** A state of the tree, and its signed checkpoint. */
export interface Head {
  readonly treeSize: number
  readonly note: string
}

/** The public state of the tree, and the proofs for a veteran's own events. */
export class Proofs extends Context.Service<Proofs, {
  /** The latest signed checkpoint. Even an empty tree has one. */
  readonly checkpoint: Effect.Effect<string, ProofsNotConfigured>
  readonly publicKey: Effect.Effect<string, ProofsNotConfigured>
  readonly consistency: (
    sizes: { readonly from: number; readonly to: number }
  ) => Effect.Effect<ConsistencyProof, InvalidRequest | ProofsNotConfigured>
  /** Proves an event of the veteran against the latest checkpoint. */
  readonly inclusion: (
    veteranId: VeteranId,
    id: string
  ) => Effect.Effect<InclusionProof, NotFound | Conflict | SealBroken | ProofsNotConfigured>
  readonly latest: Effect.Effect<Head, ProofsNotConfigured>
  /** Proves leaves of the veteran that a state of the tree includes. It reads only what never changes. */
  readonly inclusions: (
    veteranId: VeteranId,
    leaves: ReadonlyArray<LeafRepository.ListedLeafRow>,
    head: Head
  ) => Effect.Effect<ReadonlyArray<InclusionProof>, SealBroken>
}>()("vrss/services/ledger/Proofs") {
  static readonly layer = Layer.effect(
    Proofs,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const tree = TreeRepository.make(yield* SharedConnections)
      const crypto = yield* Crypto
      const signer = yield* ProofSigner

      const latest = Effect.gen(function*() {
        const key = yield* signer.key
        return Option.getOrElse(yield* tree.latestCheckpoint, () => ({
          treeSize: 0,
          note: signCheckpoint(key, { size: 0, root: emptyRoot })
        }))
      })

      const inclusions: Proofs["Service"]["inclusions"] = Effect.fnUntraced(
        function*(veteranId, leaves, { note, treeSize }) {
          const pace = makePace()
          const ranges = leaves.map(({ treeIndex }) => inclusionRanges(treeIndex, treeSize))
          const tiles = yield* tree.tiles(tilesOf(ranges.flat()))
          const proofs: Array<InclusionProof> = []
          for (const [at, { id, leafCiphertext, leafHash, treeIndex }] of leaves.entries()) {
            const leaf = yield* crypto.open(placeOf("proofs", "leaf_ciphertext", veteranId, id), leafCiphertext)
            proofs.push({
              leaf: leaf.toString(),
              salt: saltOf(leaf.toString()),
              leafHash: inBase64(leafHash),
              index: treeIndex,
              treeSize,
              hashes: hashesOf(ranges[at]!, tiles).map(inBase64),
              checkpoint: note
            })
            yield* pace(1024)
          }
          return proofs
        }
      )

      return Proofs.of({
        checkpoint: Effect.map(latest, ({ note }) => note),
        publicKey: Effect.map(signer.key, publicKeyText),
        consistency: Effect.fn("Proofs.consistency")(function*({ from, to }) {
          const { treeSize } = yield* latest
          if (from > to) return yield* InvalidRequest.at(["from"], "Expected a size that is not above 'to'")
          if (to > treeSize) {
            return yield* InvalidRequest.at(
              ["to"],
              `Expected a size up to the latest checkpoint's, which is ${treeSize}`
            )
          }
          const hashes = yield* readHashes(tree, consistencyRanges(from, to))
          return { from, to, hashes: hashes.map(inBase64) }
        }),
        inclusion: Effect.fn("Proofs.inclusion")(function*(veteranId, id) {
          const { isSetAside, leafCiphertext, leafHash, treeIndex: index } = yield* orNotFound(
            asVeteran(veteranId)(LeafRepository.findLeaf(veteranId, id))
          )
          if (isSetAside) return yield* new Conflict({ message: setAside })
          if (index === null || leafHash === null) return yield* new Conflict({ message: notDrained })
          if (leafCiphertext === null) return yield* new NotFound({ message: forgotten })
          const { note, treeSize } = yield* latest
          if (index >= treeSize) return yield* new Conflict({ message: notDrained })
          return (yield* inclusions(veteranId, [{ id, treeIndex: index, leafCiphertext, leafHash }], {
            note,
            treeSize
          }))[0]!
        }),
        latest,
        inclusions
      })
    })
  )
}

const inBase64 = (hash: Uint8Array) => Buffer.from(hash).toString("base64")

const decodeSalted = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ salt: Schema.String })))

const saltOf = (leaf: string) => decodeSalted(leaf).salt
