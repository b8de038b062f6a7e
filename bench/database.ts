import { Effect } from "effect"
import type pg from "pg"
import { registerVeterans, type SignedIn, signIn, signInVeteran } from "../test/support/Client.ts"
import { syncPath } from "../test/support/Sync.ts"
import {
  childrenOf,
  open,
  openDatabase,
  openService,
  portOf,
  resources,
  statOf,
  syncBody,
  timedSync,
  versioned
} from "./Bench.ts"
import { benchmark, type Sample } from "./Figure.ts"
import { get, load, post } from "./load.ts"

const veterans = 2

const perVeteran = 3000

const table = "health_record_items"

const parts = `pg_partition_tree('${table}') where isleaf`

const resyncs = 50

/** Each re-sync changes 1 % of the items. */
const changedItems = perVeteran / 100

/** Autovacuum comes to a part of the table once 3 % of its rows are dead. */
const resyncsAVacuum = 3

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
    }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const body = syncBody(resources(perVeteran))
    const items = veterans * perVeteran
    const perItem = async (before: number) => {
      const { rows: [{ bytes }] } = await owner.query(
        `select sum(pg_total_relation_size(relid))::float as bytes from ${parts}`
      )
      return (bytes - before) / items
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
      let half = 0
      for (let resync = 1; resync <= resyncs; resync++) {
        await synced(syncBody(versioned(perVeteran, (n) => n < resync * changedItems ? 1 : 0)))
        if (resync % resyncsAVacuum === 0) await owner.query(`vacuum ${table}`)
        if (resync === resyncs / 2) half = await perItem(empty)
      }
      const later = await perItem(empty)
      const sent = body.length / perVeteran
      return {
        table: { ours: first, floor: sent, ratio: first },
        wal: { ours: wal, floor: sent, ratio: wal },
        later: { ours: later, floor: first, detail: `${half.toFixed(0)} B after ${resyncs / 2}` }
      }
    }
  })
})

const walOf = async (owner: pg.Client) =>
  Number((await owner.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes")).rows[0].bytes)

/** The process that is the parent of all of PostgreSQL's. */
const postmasterOf = async (owner: pg.Client) => {
  const { rows: [{ pid }] } = await owner.query("select pg_backend_pid() as pid")
  return statOf(pid)[1]!
}

/**
 * Microseconds of processor time of a process and its children, also of those that have ended. Time of a child counts
 * once the process has waited for it. Linux counts hundredths of a second (proc(5): utime, stime, cutime, cstime).
 */
const familyTime = (pid: number): number => {
  const own = statOf(pid).slice(11, 15).reduce((sum, hundredths) => sum + hundredths * 10_000, 0)
  return childrenOf(pid).reduce((sum, child) => sum + familyTime(child), own)
}

const seconds = 2

const floor = "one process"

/** PostgreSQL's processor time for a request if two processes on this machine share the load, beside one process. */
export const pair = benchmark({
  rounds: 5,
  figures: {
    me: { name: "PostgreSQL for a /me, two processes", unit: "µs", floor, goal: { atMost: 1.5 } },
    sync: { name: "PostgreSQL for a sync of 20, two processes", unit: "µs", floor, goal: { atMost: 1.5 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const database = yield* openDatabase()
    const both = [yield* openService(database, tree), yield* openService(database, tree)]
    const { owner } = database
    const postmaster = yield* Effect.promise(() => postmasterOf(owner))
    const veterans = yield* Effect.promise(async () => {
      const all = []
      for (const veteran of await registerVeterans(owner, 200)) all.push(await signIn(both[0]!, veteran))
      return all
    })
    let version = 0
    const reads = veterans.map(({ headers }) => get("/api/veteran/me", headers))
    const syncs = () => {
      version++
      const body = syncBody(versioned(20, () => version))
      return veterans.map(({ headers }) => post(syncPath, headers, body))
    }
    /** Every process gets its share of the same connections and veterans. */
    const used = async (services: typeof both, connections: number, requests: ReadonlyArray<Buffer>) => {
      await owner.query("delete from rate_limit_spendings")
      const before = familyTime(postmaster)
      const loads = await Promise.all(
        services.map((service, side) =>
          load(portOf(service), {
            connections: connections / services.length,
            seconds,
            requests: requests.filter((_, n) => n % services.length === side)
          })
        )
      )
      const answered = loads.reduce((sum, { answered }) => sum + answered, 0)
      return { micros: (familyTime(postmaster) - before) / answered, answered }
    }
    const beside = async (connections: number, requests: () => ReadonlyArray<Buffer>): Promise<Sample> => {
      const one = await used(both.slice(0, 1), connections, requests())
      const two = await used(both, connections, requests())
      return { ours: two.micros, floor: one.micros, detail: `${two.answered} answers; one process: ${one.answered}` }
    }
    return async () => ({ me: await beside(32, () => reads), sync: await beside(8, syncs) })
  })
})
