import { Effect } from "effect"
import { cpus, loadavg } from "node:os"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import { connectionsOf } from "../src/services/doctor/DatabaseChecks.ts"
import { writeEvents } from "../test/http/ledger/Drained.ts"
import {
  asDrainer,
  type Call,
  call,
  giveGrant,
  type SignedIn,
  signInProvider,
  signInVeteran
} from "../test/support/Client.ts"
import { patients, patientTexts } from "../test/support/Collection.ts"
import { type Bench, expecting, familyTime, open, syncBody, syncPath, type Tree } from "./Bench.ts"
import type { CostMeasured, Work } from "./CostFigures.ts"
import { postmasterOf, sizesOf, walOf } from "./Postgres.ts"
import { tell } from "./Rounds.ts"
import { conditionalBody } from "./sync.ts"

/** Veterans for each patient of the test collection. */
const copies = 3

/** A drain of more would take longer than a request may on a busy machine. */
const events = 1000

const drains = 4

const requestsEach = 15

/** A fifth of each record changes in each round, as autovacuum comes after a fifth of a table's rows. */
const fifths = 5

type Record = ReadonlyMap<string, ReadonlyArray<string>>

interface Reader {
  readonly veteran: SignedIn
  readonly record: Record
}

/** The patient's resources, each id once: some recorded answers have one twice, which a sync refuses. */
const recordOf = (patient: string): Record =>
  new Map(
    Object.entries(patientTexts(patient)).map(([type, texts]) => [
      type,
      [...new Map(texts.map((text) => [JSON.parse(text).id, text])).values()]
    ])
  )

/** The record with each item in the version of its number. A blank makes one: a resource is stored as its bytes. */
const versioned = (record: Record, version: (n: number) => number): Record => {
  let n = 0
  return new Map(
    [...record].map(([type, texts]) => [
      type,
      texts.map((text) => text.replace(/^\s*\{/, `{${" ".repeat(version(n++))}`))
    ])
  )
}

const bodyOf = (record: Record) => syncBody(record as Map<string, Array<string>>)

const sizeOf = (record: Record) => record.values().reduce((sum, texts) => sum + texts.length, 0)

/** Measures what a record, a sync, a view and an event cost, with its own service and database. */
export const measureCost = Effect.fnUntraced(function*(tree: Tree) {
  const bench = yield* open(tree)
  return yield* Effect.promise(() => measured(bench))
}, Effect.scoped)

const measured = async ({ owner, service }: Bench): Promise<CostMeasured> => {
  const before = loadavg()[0]!
  const postmaster = await postmasterOf(owner)
  /** Processor time of both, in microseconds, and bytes of WAL. */
  const spent = async (work: () => Promise<unknown>) => {
    const start = [familyTime(postmaster), familyTime(service.process.pid!), await walOf(owner)] as const
    await work()
    return {
      postgres: familyTime(postmaster) - start[0],
      node: familyTime(service.process.pid!) - start[1],
      wal: await walOf(owner) - start[2]
    }
  }
  const answered = async (method: string, path: string, asked: Call) => {
    for (let tries = 1;; tries++) {
      const answer = await call(service, method, path, asked)
      if (answer.status !== 503 || tries === 5) return expecting(200, answer)
      tell("cost: the machine is too busy (503), once again")
      await setTimeout(2000)
    }
  }
  const post = ({ headers }: SignedIn, body: Uint8Array | string) => answered("POST", syncPath, { headers, body })
  const get = (path: string, { headers }: SignedIn) => answered("GET", path, { headers })
  const drain = () => answered("POST", "/api/internal/proofs/drain", { headers: asDrainer })

  const readers: Array<Reader> = []
  for (const patient of patients) {
    const record = recordOf(patient)
    for (let n = 0; n < copies; n++) readers.push({ veteran: await signInVeteran(service), record })
  }
  const items = readers.reduce((sum, { record }) => sum + sizeOf(record), 0)
  const sent = readers.flatMap(({ record }) => [...record.values()].flat())
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const syncAll = (body: (reader: Reader) => Uint8Array | string) => async () => {
    for (const reader of readers) await post(reader.veteran, body(reader))
    await owner.query("delete from rate_limit_spendings")
  }
  tell(`cost: ${items.toLocaleString("en-US")} items of ${readers.length} veterans`)
  // The code has run before it is measured.
  const warm = await signInVeteran(service)
  for (let n = 1; n <= 5; n++) await post(warm, bodyOf(versioned(readers[0]!.record, () => n)))

  await owner.query("vacuum health_record_items")
  const empty = await sizesOf(owner, "health_record_items")
  const filled = await spent(syncAll(({ record }) => bodyOf(record)))
  tell("cost: syncs without a change")
  const quiet = await spent(syncAll(({ record }) => conditionalBody(record)))
  const again = await spent(syncAll(({ record }) => bodyOf(record)))
  tell("cost: syncs that change a fifth each")
  await owner.query("vacuum health_record_items")
  const fullPages = async (state: "on" | "off") => {
    await owner.query(`alter system set full_page_writes = ${state}`)
    await owner.query("select pg_reload_conf()")
    await owner.query("checkpoint")
  }
  await fullPages("off")
  const rewritten = await spent(async () => {
    for (let fifth = 0; fifth < fifths; fifth++) {
      await syncAll(({ record }) => bodyOf(versioned(record, (n) => n % fifths <= fifth ? 1 : 0)))()
      await owner.query("vacuum health_record_items")
    }
  })
  const full = await sizesOf(owner, "health_record_items")
  const perItem = (of: keyof typeof full) => (full[of] - empty[of]) / items

  tell("cost: one item, and one of fifty, after a checkpoint")
  const changedIn = async (version: (n: number) => number) => {
    await fullPages("on")
    return await spent(syncAll(({ record }) => bodyOf(versioned(record, version))))
  }
  const eventsBefore = await countOf(owner)
  const one = await changedIn((n) => n === 0 ? 2 : 1)
  const perSync = (await countOf(owner) - eventsBefore) / readers.length
  const few = await changedIn((n) => n === 0 ? 2 : n % 50 === 1 ? 3 : 1)
  const fewItems = readers.reduce((sum, { record }) => sum + Math.ceil((sizeOf(record) - 1) / 50), 0)
  const changedAfterCheckpoint = Math.max(0, few.wal - one.wal) / (fewItems - readers.length)

  tell("cost: views and small requests")
  const provider = await signInProvider(service)
  for (const { veteran } of readers) await giveGrant(service, veteran, provider)
  const viewed = await spent(async () => {
    for (const { veteran } of readers) await get(`/api/provider/patients/${veteran.id}/record`, provider)
  })
  await owner.query("delete from rate_limit_spendings")
  const requests = readers.length * requestsEach
  const small = await spent(async () => {
    for (let n = 0; n < requestsEach; n++) {
      await Promise.all(readers.map(({ veteran }) => get("/api/veteran/me", veteran)))
    }
  })
  const limitRows = Number((await owner.query("select count(*) from rate_limit_spendings")).rows[0].count) / requests

  tell("cost: events, copies, sweep")
  await drain()
  const noEvents = await sizesOf(owner, "proofs")
  let drained = 0
  for (let n = 0; n < drains; n++) {
    await writeEvents(owner, readers[n]!.veteran.id, events)
    drained += (await spent(drain)).postgres
  }
  const withEvents = await sizesOf(owner, "proofs")
  const bytes = withEvents.heap + withEvents.toast + withEvents.indexes
  const copied = await spent(async () => {
    for (let n = 0; n < 5; n++) await owner.query("copy (select * from health_record_items) to '/dev/null'")
  })
  await owner.query(
    "insert into rate_limit_spendings select sha256(n::text::bytea), now() - interval '2 days', 1 from generate_series(1, 20000) n"
  )
  const started = performance.now()
  for (let n = 0; n < 20_000; n += 500) {
    await owner.query("select app.sweep('rate limits', interval '25 hours', 500)")
    await setTimeout(100)
  }
  const swept = 20_000 / ((performance.now() - started) / 1000)

  const work = (of: "postgres" | "node"): Work => {
    const quietSync = quiet[of] / readers.length
    const sentItem = Math.max(0, again[of] / readers.length - quietSync) * readers.length / items
    return {
      quietSync,
      sentItem,
      changedItem: (rewritten[of] - fifths * again[of]) / items,
      view: viewed[of] / readers.length,
      request: small[of] / requests
    }
  }
  return {
    figures: {
      item: {
        sent: sent / items,
        heap: perItem("heap"),
        toast: perItem("toast"),
        indexes: perItem("indexes"),
        toastValues: perItem("toastValues")
      },
      event: { bytes: (bytes - noEvents.heap - noEvents.toast - noEvents.indexes) / (drains * events), perSync },
      wal: {
        filling: filled.wal / items,
        changed: rewritten.wal / items,
        changedAfterCheckpoint,
        syncAfterCheckpoint: Math.max(0, one.wal / readers.length - changedAfterCheckpoint)
      },
      postgres: work("postgres"),
      node: work("node"),
      drainedPerSecond: drains * events / drained * 1e6,
      copiedPerSecond: 5 * (full.heap + full.toast) / copied.postgres * 1e6,
      limitRows,
      sweptPerSecond: swept,
      connectionsOfProcess: connectionsOf(2)
    },
    ground: {
      at: new Date().toISOString().slice(0, 16),
      processor: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      postgres: (await owner.query("show server_version")).rows[0].server_version,
      items,
      veterans: readers.length,
      load: [before, loadavg()[0]!]
    }
  }
}

const countOf = async (owner: pg.Client) => Number((await owner.query("select count(*) from proofs")).rows[0].count)
