import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type pg from "pg"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import { signInVeteran } from "../test/support/Client.ts"
import { open, residentSet, resources, syncBody, timed, timedSync, watched } from "./Bench.ts"
import { alone, benchmark, floorShare } from "./Figure.ts"
import { get, load } from "./load.ts"
import { openRecord } from "./view.ts"

const copy = "COPY of the same rows"

const first = "the first"

/**
 * Compares a first sync with COPY of the same rows. Then compares two more syncs with the first: the same body again,
 * and a body that says that nothing changed.
 */
export const sync = benchmark({
  rounds: 9,
  figures: {
    first: { name: "first sync of 3,000, alone", unit: "ms", floor: copy, goal: { atLeast: 0.6 } },
    afterViews: { name: "first sync of 3,000, right after views", unit: "ms", floor: copy, goal: { atLeast: 0.45 } },
    again: { name: "the same sync again", unit: "ms", floor: first, goal: { atMost: 0.2 } },
    conditional: { name: "conditional sync of the same", unit: "ms", floor: first, goal: { atMost: 0.1 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, port, service } = yield* open(tree)
    const types = resources(3000)
    const body = syncBody(types)
    const unchanged = conditionalBody(types)
    const { path, providers } = yield* Effect.promise(() => openRecord(service, 8))
    const requests = providers.map(({ headers }) => get(path, headers))
    yield* Effect.promise(() =>
      owner.query(`
        create table bench_copy (like health_record_items including defaults including storage);
        alter table bench_copy add primary key (veteran_id, resource_type, fhir_id)`)
    )
    return async () => {
      const veteran = await signInVeteran(service)
      const time = await timedSync(service, veteran, body)
      const again = await timedSync(service, veteran, body)
      const conditional = await timedSync(service, veteran, unchanged).catch((error: Error) =>
        new Error(`no conditional sync is answered: ${error.message}`)
      )
      const least = await copied(owner, veteran.id)
      const next = await signInVeteran(service)
      await load({ port, pid: service.process.pid! }, { connections: 4, seconds: 1, requests })
      const afterViews = await timedSync(service, next, body)
      return {
        first: floorShare(time, least, `${(body.length / 1e6).toFixed(1)} MB`),
        afterViews: floorShare(afterViews, await copied(owner, next.id)),
        again: { ours: again, floor: time },
        conditional: typeof conditional === "number"
          ? { ours: conditional, floor: time, detail: `${unchanged.length} bytes` }
          : conditional
      }
    }
  })
})

/** Returns a body with only a digest for each type, which says that the type has not changed (contract, part 5). */
export const conditionalBody = (types: ReadonlyMap<string, ReadonlyArray<string>>) => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
  const digest = (texts: ReadonlyArray<string>) => {
    const lines = texts.map((text) => [JSON.parse(text).id as string, sha256(text)] as const)
    return sha256(lines.toSorted(([a], [b]) => a < b ? -1 : 1).map(([id, hash]) => `${id} ${hash}\n`).join(""))
  }
  const each = <A>(of: (texts: ReadonlyArray<string>) => A) =>
    Object.fromEntries([...types].map(([type, texts]) => [type, of(texts)]))
  return JSON.stringify({ fhirResourceFetchStatuses: each(() => "complete"), unchanged: each(digest), resources: {} })
}

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

/** Returns the body of a sync of about `size` bytes. It repeats the same resources with other ids. */
export const largeBody = (size: number) => {
  const types = resources(3000)
  const copies = Math.floor(size / syncBody(types).length)
  return syncBody(
    new Map([...types].map(([type, texts]) => [
      type,
      Array.from(
        { length: copies },
        (_, n) => texts.map((text) => text.replace(/"id":"/, `"id":"m${n}-`).replace(/("id":"[^"]{64})[^"]*"/, "$1\""))
      ).flat()
    ]))
  )
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
    const body = largeBody(60e6)
    return async () => {
      const { headers } = await signInVeteran(service)
      const before = residentSet(service)
      const most = await watched(service, () => timedSync(service, { headers }, body))
      return { resident: alone(most, before, `${(body.length / 1e6).toFixed(0)} MB sent`) }
    }
  })
})
