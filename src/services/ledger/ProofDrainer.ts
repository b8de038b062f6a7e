import { Cause, Clock, Context, Data, Effect, Layer, Metric, Option, Result } from "effect"
import { VeteranId } from "../../domain/Id.ts"
import { type DrainOutcome, ProofsNotConfigured } from "../../domain/Proof.ts"
import { atEdge, OwnConnections } from "../../sql/Connections.ts"
import * as TreeRepository from "../../sql/ledger/TreeRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { logTrouble } from "../platform/Outage.ts"
import { makePace } from "../platform/Pace.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import { openCheckpoint, signCheckpoint } from "./Checkpoint.ts"
import { makeLeaf, type UndrainedProof } from "./Leaf.ts"
import { leafHash } from "./MerkleTree.ts"
import { providerOf } from "./ProofEvent.ts"
import { ProofSigner } from "./ProofSigner.ts"
import type { NoteKey } from "./SignedNote.ts"
import { subjectHashes } from "./SubjectHashes.ts"
import { TileMissing } from "./Tiles.ts"
import { rootAt } from "./Tree.ts"

/**
 * The stored tree contradicts its last signed checkpoint. Draining stops until the operator has examined the tables,
 * because a log must never sign two trees that contradict each other.
 */
export class TreeForked extends Data.TaggedError("TreeForked") {
  override readonly message =
    "the tree does not begin with what its last checkpoint was signed for: rows of proof_tiles or proof_checkpoints were " +
    "changed or lost, nothing is drained"
}

/** Two processes with different keys would sign the tree again, one after the other. */
const otherKey =
  "proofs: the last checkpoint was signed with another key. The tree is signed again. If this is not the first time, " +
  "processes have different values of PROOF_SIGNING_KEY"

const batchSize = 1000

/** Maximum time for one batch, in milliseconds. */
const batchDeadline = 60_000

/** Maximum time for a requested run, in milliseconds. */
const requestDeadline = 10_000

/** Turns rows of `proofs` into leaves, in batches of one transaction each. Only one process does this at a time. */
export class ProofDrainer extends Context.Service<ProofDrainer, {
  /** Drains all rows, and measures what remains. Failures are logged, and the next run tries again. */
  readonly run: Effect.Effect<void>
  /** Drains for ten seconds at most, including a wait for another drainer. */
  readonly drainNow: Effect.Effect<DrainOutcome, ProofsNotConfigured>
}>()("vrss/services/ledger/ProofDrainer") {
  static readonly layer = Layer.effect(
    ProofDrainer,
    Effect.gen(function*() {
      const sql = yield* OwnConnections
      const tree = TreeRepository.make(sql)
      const crypto = yield* Crypto
      const signer = yield* ProofSigner
      const { witnessUrl } = yield* Settings
      const providerHash = crypto.keyedHash("proof-provider")
      const { hashesOf } = yield* subjectHashes

      const leafRow = (row: UndrainedProof) => {
        const { event, text } = makeLeaf(row)
        const providerId = providerOf(event)
        const place = placeOf("proofs", "leaf_ciphertext", VeteranId.make(row.veteranId), row.id)
        return {
          veteranId: row.veteranId,
          id: row.id,
          ciphertext: crypto.seal(place, Buffer.from(text)),
          hash: leafHash(text),
          provider: providerId === undefined ? null : providerHash(providerId),
          subjects: hashesOf(event)
        }
      }

      const setAside = Effect.fnUntraced(function*(rows: ReadonlyArray<UndrainedProof>) {
        yield* tree.setAside(rows.map((row) => ({ ...row, reason: "the event cannot be made a leaf" })))
        yield* Effect.logError(
          `proofs: set aside, because their event cannot be made a leaf: ${rows.length}, first ${rows[0]!.id}`
        )
      })

      /** Returns the last checkpoint's size, or -1 without one by this key. Fails if the tree does not extend it. */
      const checkLast = Effect.fnUntraced(function*(key: NoteKey) {
        const last = yield* tree.latestCheckpoint
        if (Option.isNone(last)) return -1
        const checkpoint = openCheckpoint(last.value.note, key)
        if (checkpoint === undefined) {
          yield* Effect.logWarning(otherKey)
          return -1
        }
        const root = yield* rootAt(tree, checkpoint.size).pipe(
          Effect.catchDefect((defect) => Effect.die(defect instanceof TileMissing ? new TreeForked() : defect))
        )
        return Buffer.compare(root, checkpoint.root) === 0 ? checkpoint.size : yield* Effect.die(new TreeForked())
      })

      const drainBatch = Effect.fnUntraced(function*(key: NoteKey) {
        if (!(yield* tree.tryLock)) return undefined
        const signedSize = yield* checkLast(key)
        const rows = yield* tree.undrained(batchSize)
        const pace = makePace()
        const leaves: Array<ReturnType<typeof leafRow>> = []
        const unfit: Array<UndrainedProof> = []
        for (const row of rows) {
          Result.match(Result.try(() => leafRow(row)), {
            onSuccess: (leaf) => leaves.push(leaf),
            onFailure: () => unfit.push(row)
          })
          yield* pace(0)
        }
        if (unfit.length > 0) yield* setAside(unfit)
        const { rootHash: root, treeSize: size } = yield* (leaves.length > 0 ? tree.append(leaves) : tree.tree)
        if (size !== signedSize && size > 0) {
          yield* tree.storeCheckpoint(signCheckpoint(key, { root, size }), witnessUrl !== undefined)
        }
        return { drained: leaves.length, treeSize: size, isLast: rows.length < batchSize }
      })

      const inTransaction = (key: NoteKey) => atEdge(sql.withTransaction(drainBatch(key)), batchDeadline)

      /** Drains in batches until no row or no time is left. Returns undefined if another drainer is at work. */
      const drainUntil = Effect.fnUntraced(function*(end: number) {
        const key = yield* signer.key
        let outcome: DrainOutcome | undefined
        for (;;) {
          const batch = yield* inTransaction(key)
          if (batch === undefined) return outcome
          outcome = { drained: (outcome?.drained ?? 0) + batch.drained, treeSize: batch.treeSize }
          yield* Metric.update(drainedTotal, batch.drained)
          yield* Metric.update(leavesInTree, batch.treeSize)
          if (batch.isLast || (yield* Clock.currentTimeMillis) > end) return outcome
        }
      })

      const measure = Effect.flatMap(
        tree.waiting,
        ({ seconds, setAside }) => Effect.andThen(Metric.update(lag, seconds), Metric.update(setAsideRows, setAside))
      )

      const logged = <E>(work: Effect.Effect<unknown, E>) =>
        Effect.catchCause(work, (cause) => {
          const error = Cause.squash(cause)
          if (error instanceof ProofsNotConfigured) return Effect.void
          return error instanceof TreeForked ? Effect.logError(`proofs: ${error.message}`) : logTrouble("proofs")(cause)
        })

      return ProofDrainer.of({
        run: Effect.andThen(logged(drainUntil(Infinity)), logged(measure)),
        drainNow: Effect.gen(function*() {
          const end = (yield* Clock.currentTimeMillis) + requestDeadline
          for (;;) {
            const outcome = yield* drainUntil(end)
            if (outcome !== undefined) return outcome
            if ((yield* Clock.currentTimeMillis) > end) return { drained: 0, treeSize: (yield* tree.tree).treeSize }
            yield* Effect.sleep("100 millis")
          }
        })
      })
    })
  )
}

const drainedTotal = Metric.counter("proofs_drained_total", {
  description: "Events of which this process made leaves of the tree",
  incremental: true
})

const leavesInTree = Metric.gauge("proof_tree_leaves", { description: "Leaves of the tree" })

const lag = Metric.gauge("proof_drainer_lag_seconds", {
  description: "Seconds that the first event without a leaf had waited after the last run"
})

const setAsideRows = Metric.gauge("proofs_set_aside", {
  description: "Events that could not be made leaves: look into each"
})
