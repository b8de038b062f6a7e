import { Effect } from "effect"
import type pg from "pg"
import { nodeHash } from "../src/services/ledger/MerkleTree.ts"
import { drain, proofOf, writeEvents } from "../test/http/proof/Drained.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { line, median, open } from "./Bench.ts"

const rounds = 5

const events = 5000

const asked = 100

/** Leaves drained per second against one UPDATE that writes as much; an inclusion proof's size and time against `/me`. */
export const benchProofs = Effect.gen(function*() {
  const { owner, service } = yield* open()
  yield* Effect.promise(async () => {
    const veteran = await signInVeteran(service)
    const [first] = await writeEvents(owner, veteran.id, 256)
    await drain(service)
    const rates: Array<number> = []
    const ratios: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      await writeEvents(owner, veteran.id, events)
      const drained = await timed(() => drain(service))
      const floor = await timed(() =>
        owner.query(
          `update proofs set leaf_ciphertext = leaf_ciphertext, leaf_hash = sha256(leaf_hash)
           where tree_index >= (select max(tree_index) - ${events} + 1 from proofs)`
        )
      )
      rates.push(events / drained * 1000)
      ratios.push(drained / floor)
    }
    line("draining / one UPDATE of the same rows", median(ratios), "none set", `${median(rates).toFixed(0)} leaves/s`)
    const floor = await medianTime(() => call(service, "GET", "/api/veteran/me", { headers: veteran.headers }))
    for (const size of [1_000_000, 10_000_000]) {
      await fill(owner, size)
      await writeEvents(owner, veteran.id, 1)
      await drain(service)
      const answer = await proofOf(service, veteran, first!)
      if (answer.status !== 200) throw new Error(answer.text)
      const time = await medianTime(() => proofOf(service, veteran, first!))
      line(
        `a proof at ${size / 1e6} million leaves / /me`,
        time / floor,
        "none set",
        `${time.toFixed(1)} ms, ${answer.json.hashes.length} hashes, ${answer.text.length} bytes`
      )
    }
  })
})

/** Makes a tree of this size behind the first 256 leaves: what follows them are copies of one tile. */
const fill = async (owner: pg.Client, size: number) => {
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

/** The root of a full tree over hashes that lie one after the other. */
const rootOf = (hashes: Uint8Array): Uint8Array => {
  const half = hashes.length / 2
  return half < 32 ? hashes : nodeHash(rootOf(hashes.subarray(0, half)), rootOf(hashes.subarray(half)))
}

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const medianTime = async (work: () => Promise<unknown>) => {
  const times: Array<number> = []
  for (let n = 0; n < asked; n++) times.push(await timed(work))
  return median(times)
}
