import { Effect } from "effect"
import type pg from "pg"
import { nodeHash } from "../src/services/ledger/MerkleTree.ts"
import { drain, proofOf, writeEvents } from "../test/http/ledger/Drained.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { expecting, open, timed } from "./Bench.ts"
import { benchmark, median } from "./Figure.ts"

const events = 5000

const asked = 100

/**
 * Measures how long the service takes to make leaves of 5,000 new proofs, compared with one UPDATE of the same rows.
 * Then measures the request of an inclusion proof, compared with a request of `/me`.
 */
export const proofs = benchmark({
  rounds: 5,
  figures: {
    drained: { name: "5,000 leaves drained", unit: "ms", floor: "one UPDATE of the same rows" },
    million: { name: "a proof at 1 million leaves", unit: "ms", floor: "/me" },
    millions: { name: "a proof at 10 million leaves", unit: "ms", floor: "/me" }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    return yield* Effect.promise(async () => {
      const veteran = await signInVeteran(service)
      // They keep leaves, which the rounds below remove.
      await owner.query("alter table proofs disable trigger user")
      const [first] = await writeEvents(owner, veteran.id, 256)
      await drain(service)
      const provedAt = async (size: number) => {
        await fill(owner, size)
        await writeEvents(owner, veteran.id, 1)
        await drain(service)
        const floor = await medianTime(() => call(service, "GET", "/api/veteran/me", veteran))
        const answer = expecting(200, await proofOf(service, veteran, first!))
        const ours = await medianTime(() => proofOf(service, veteran, first!))
        return { ours, floor, detail: `${answer.json.hashes.length} hashes, ${answer.text.length} bytes` }
      }
      return async () => {
        await owner.query("delete from rate_limit_spendings")
        await writeEvents(owner, veteran.id, events)
        const drained = await timed(() => drain(service))
        const floor = await timed(() =>
          owner.query(
            `update proofs set leaf_ciphertext = leaf_ciphertext, leaf_hash = sha256(leaf_hash)
             where tree_index >= (select max(tree_index) - ${events} + 1 from proofs)`
          )
        )
        await owner.query("delete from proofs where tree_index >= 256")
        return {
          drained: { ours: drained, floor, detail: `${(events / drained * 1000).toFixed(0)} leaves/s` },
          million: await provedAt(1_000_000),
          millions: await provedAt(10_000_000)
        }
      }
    })
  })
})

/** Replaces the Merkle tree by one of `size` leaves: its own first 256 leaves, and then copies of one made-up tile. */
export const fill = async (owner: pg.Client, size: number) => {
  const { rows: [{ hashes: first }] } = await owner.query(
    "select hashes from proof_tiles where (level, index) = (0, 0)"
  )
  const copy = Buffer.alloc(8192, "hashes of leaves that stand for others")
  await owner.query("truncate proof_tiles, proof_checkpoints")
  const count = Math.floor(size / 256)
  await owner.query(
    "insert into proof_tiles select 0, n, case n when 0 then $1::bytea else $2::bytea end from generate_series(0, $3 - 1) n",
    [first, copy, count]
  )
  if (size % 256 > 0) {
    await owner.query("insert into proof_tiles values (0, $1, $2)", [count, copy.subarray(0, size % 256 * 32)])
  }
  const root = rootOf(copy)
  let entries = Buffer.concat([rootOf(first), ...Array.from({ length: count - 1 }, () => root)])
  for (let level = 1; entries.length > 0; level++) {
    const above: Array<Uint8Array> = []
    for (let at = 0; at < entries.length; at += 8192) {
      const tile = entries.subarray(at, at + 8192)
      await owner.query("insert into proof_tiles values ($1, $2, $3)", [level, at / 8192, tile])
      if (tile.length === 8192) above.push(rootOf(tile))
    }
    entries = Buffer.concat(above)
  }
}

/** Returns the root of a full tree. `hashes` are its concatenated leaf hashes. */
const rootOf = (hashes: Uint8Array): Uint8Array => {
  const half = hashes.length / 2
  return half < 32 ? hashes : nodeHash(rootOf(hashes.subarray(0, half)), rootOf(hashes.subarray(half)))
}

const medianTime = async (work: () => Promise<unknown>) => {
  const times: Array<number> = []
  for (let n = 0; n < asked; n++) times.push(await timed(work))
  return median(times)
}
