import { Effect } from "effect"
import { type SignedIn, signInVeteran } from "../test/support/Client.ts"
import { open, resources, syncBody, timedSync } from "./Bench.ts"
import { benchmark } from "./Figure.ts"
import { sizesOf, vacuumScaleOf, walOf } from "./Postgres.ts"

const veterans = 2

const perVeteran = 3000

const table = "health_record_items"

const resyncs = 50

/** Each re-sync changes 1 % of the items. */
const changedItems = perVeteran / 100

const versioned = (version: (n: number) => number) => {
  let n = 0
  return syncBody(
    new Map(
      [...resources(perVeteran)].map(([type, texts]) => [
        type,
        texts.map((text) => text.replace(/^\s*\{/, `{${" ".repeat(version(n++))}`))
      ])
    )
  )
}

/** The bytes that items take in the table with its indexes and in the WAL, and again after many re-syncs. */
export const storage = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    table: { name: "table and index bytes per item", unit: "B", floor: "sent", goal: { atMost: 1500 } },
    wal: { name: "WAL bytes per item of a first sync", unit: "B", floor: "sent", goal: { atMost: 2000 } },
    later: {
      name: `table and index bytes per item after ${resyncs} re-syncs of 1 %`,
      unit: "B",
      floor: "before",
      goal: { atMost: 1.1 }
    },
    laterWal: { name: "WAL bytes per changed item of these", unit: "B" }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const body = versioned(() => 0)
    const items = veterans * perVeteran
    const perItem = async (before: number) => {
      const { heap, indexes, toast } = await sizesOf(owner, table)
      return (heap + indexes + toast - before) / items
    }
    return async () => {
      const empty = items * await perItem(0)
      const all: Array<SignedIn> = []
      for (let n = 0; n < veterans; n++) all.push(await signInVeteran(service))
      const synced = async (body: Buffer) => {
        const before = await walOf(owner)
        for (const veteran of all) await timedSync(service, veteran, body)
        await owner.query("delete from rate_limit_spendings")
        return await walOf(owner) - before
      }
      const wal = await synced(body) / items
      await owner.query(`vacuum ${table}`)
      const first = await perItem(empty)
      // Autovacuum comes too once this share of the rows is dead.
      const resyncsAVacuum = Math.round(100 * await vacuumScaleOf(owner, table))
      let [laterWal, half] = [0, 0]
      for (let resync = 1; resync <= resyncs; resync++) {
        laterWal += await synced(versioned((n) => n < resync * changedItems ? 1 : 0))
        if (resync % resyncsAVacuum === 0) await owner.query(`vacuum ${table}`)
        if (resync === resyncs / 2) half = await perItem(empty)
      }
      const later = await perItem(empty)
      const sent = body.length / perVeteran
      return {
        table: { ours: first, floor: sent, ratio: first },
        wal: { ours: wal, floor: sent, ratio: wal },
        later: { ours: later, floor: first, detail: `${half.toFixed(0)} B after ${resyncs / 2}` },
        laterWal: { ours: laterWal / (resyncs * changedItems * veterans) }
      }
    }
  })
})
