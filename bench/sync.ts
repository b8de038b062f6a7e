import { Effect } from "effect"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import { call, signInVeteran } from "../test/support/Client.ts"
import {
  conditionalBody,
  open,
  openDatabase,
  openService,
  quietMillis,
  residentSet,
  resources,
  syncBody,
  timed,
  timedSync,
  watched
} from "./Bench.ts"
import { alone, benchmark, floorShare, median } from "./Figure.ts"

const first = "the first"

/**
 * Compares a first sync with COPY of the same rows. Then compares two more syncs with the first: the same body again,
 * and a body that says that nothing changed.
 */
export const sync = benchmark({
  rounds: 9,
  figures: {
    first: { name: "first sync of 3,000, alone", unit: "ms", floor: "COPY of the same rows", goal: { atLeast: 0.4 } },
    again: { name: "the same sync again", unit: "ms", floor: first, goal: { atMost: 0.15 } },
    conditional: { name: "conditional sync of the same", unit: "ms", floor: first, goal: { atMost: 0.03 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const types = resources(3000)
    const body = syncBody(types)
    const unchanged = conditionalBody(types)
    yield* Effect.promise(() =>
      owner.query(`
        create table bench_copy (like health_record_items including defaults including storage);
        alter table bench_copy add primary key (veteran_id, resource_type, fhir_id)`)
    )
    return async () => {
      const veteran = await signInVeteran(service)
      const time = await timedSync(service, veteran, body)
      const again = await timedSync(service, veteran, body)
      const conditional = await timedSync(service, veteran, unchanged)
      const least = await copied(owner, veteran.id)
      return {
        first: floorShare(time, least, `${(body.length / 1e6).toFixed(1)} MB`),
        again: { ours: again, floor: time },
        conditional: { ours: conditional, floor: time, detail: `${unchanged.length} bytes` }
      }
    }
  })
})

/** Reads a veteran's rows over the connection, and writes them into `bench_copy`. Returns how long the writing took. */
const copied = async (owner: pg.Client, veteranId: string) => {
  const rows: Array<Buffer> = []
  const own = copyTo(`copy (select * from health_record_items where veteran_id = '${veteranId}') to stdout`)
  for await (const chunk of owner.query(own)) rows.push(chunk)
  const bytes = Buffer.concat(rows)
  const time = await timed(() =>
    pipeline(Readable.from(chunks(bytes)), owner.query(copyFrom("copy bench_copy from stdin")))
  )
  await owner.query("truncate bench_copy")
  return time
}

const chunks = function*(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}

/** The largest resident set of a new process while it takes a sync of 60 MB. */
export const largeSync = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    resident: { name: "resident set during a 60 MB sync", unit: "MB", floor: "before", goal: { atMost: 400 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { service } = yield* open(tree)
    const body = syncBody(resources(27_000))
    return async () => {
      const { headers } = await signInVeteran(service)
      const before = residentSet(service)
      const most = await watched(service, () => timedSync(service, { headers }, body))
      return { resident: alone(most, before, `${(body.length / 1e6).toFixed(0)} MB sent`) }
    }
  })
})

/** Services that are quiet at the same time, because one sample of each takes minutes. */
const quietServices = 3

/** The first sync of 3,000 after minutes without one, beside the next one of another veteran. */
export const quiet = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    first: { name: "first sync after a quiet minute", unit: "ms", floor: "the next", goal: { atMost: 1.2 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const database = yield* openDatabase()
    const all = yield* Effect.forEach(Array.from({ length: quietServices }), () => openService(database, tree))
    const body = syncBody(resources(3000))
    return async () => {
      for (const service of all) {
        for (let n = 0; n < 6; n++) await timedSync(service, await signInVeteran(service), body)
      }
      await setTimeout(quietMillis)
      const pairs = []
      for (const service of all) {
        const synced = async () => {
          const veteran = await signInVeteran(service)
          // An app asks for the manifest, and then reads the record at the VA.
          await call(service, "GET", "/api/veteran/me/health-record/manifest", { headers: veteran.headers })
          await setTimeout(1000)
          return await timedSync(service, veteran, body)
        }
        pairs.push({ first: await synced(), next: await synced() })
      }
      const ratios = pairs.map(({ first, next }) => first / next)
      return {
        first: {
          ours: median(pairs.map(({ first }) => first)),
          floor: median(pairs.map(({ next }) => next)),
          ratio: median(ratios),
          detail: `of ${quietServices} services: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`
        }
      }
    }
  })
})
