import { Effect } from "effect"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { from as copyFrom, to as copyTo } from "pg-copy-streams"
import { call, signInVeteran } from "../test/support/Client.ts"
import { type Bench, line, median, residentSet, resources, syncBody, watched } from "./Bench.ts"

const rounds = 7

/** A first sync of 3,000 resources against COPY of the same rows as one statement, and the same sync again. */
export const benchSync = ({ owner, service }: Bench) =>
  Effect.promise(async () => {
    const body = syncBody(resources(3000))
    await owner.query(`
      create table bench_copy (like health_record_items including defaults including storage);
      alter table bench_copy add primary key (veteran_id, resource_type, fhir_id)`)
    const figures = { first: [] as Array<number>, again: [] as Array<number>, copy: [] as Array<number> }
    for (let round = 0; round < rounds + 1; round++) {
      const veteran = await signInVeteran(service)
      const sync = () =>
        timed(() => call(service, "POST", "/api/veteran/me/health-record/sync", { headers: veteran.headers, body }))
      const first = await sync()
      const again = await sync()
      const rows: Array<Buffer> = []
      for await (
        const chunk of owner.query(
          copyTo(`copy (select * from health_record_items where veteran_id = '${veteran.id}') to stdout`)
        )
      ) rows.push(chunk)
      const bytes = Buffer.concat(rows)
      const copy = await timed(() =>
        pipeline(Readable.from(chunks(bytes)), owner.query(copyFrom("copy bench_copy from stdin")))
      )
      await owner.query("truncate bench_copy")
      // The first round warms both sides up.
      if (round > 0) {
        for (const [name, time] of Object.entries({ first, again, copy })) figures[name as "copy"].push(time)
      }
    }
    await owner.query("drop table bench_copy")
    const ratios = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => median(a.map((time, n) => time / b[n]!))
    const detail = `${median(figures.first).toFixed(0)} ms, COPY ${median(figures.copy).toFixed(0)} ms, ${
      (body.length / 1e6).toFixed(1)
    } MB`
    line("sync of 3,000 new resources / COPY", ratios(figures.first, figures.copy), "<= 2.50", detail)
    line(
      "the same again / the first",
      ratios(figures.again, figures.first),
      "<= 0.35",
      `${median(figures.again).toFixed(0)} ms`
    )
  })

/** The service's largest resident set while it takes a sync of 60 MB. */
export const benchMemory = ({ service }: Bench) =>
  Effect.promise(async () => {
    const types = resources(3000)
    const perCopy = syncBody(types).length
    const copies = Math.floor(60e6 / perCopy)
    const many = new Map([...types].map(([type, texts]) => [
      type,
      Array.from({ length: copies }, (_, n) =>
        texts.map((text) => text.replace(/"id":"/, `"id":"m${n}-`).replace(/("id":"[^"]{64})[^"]*"/, "$1\""))).flat()
    ]))
    const body = syncBody(many)
    const veteran = await signInVeteran(service)
    const before = residentSet(service)
    const most = await watched(service, async () => {
      const answer = await call(service, "POST", "/api/veteran/me/health-record/sync", {
        headers: veteran.headers,
        body
      })
      if (answer.status !== 200) {
        throw new Error(answer.text.slice(0, 400))
      }
    })
    line(
      "resident set during a 60 MB sync, MB",
      most,
      "< 400",
      `${(body.length / 1e6).toFixed(0)} MB sent, ${before.toFixed(0)} MB before`
    )
  })

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  const answer = await work() as { readonly status?: number; readonly text?: string } | undefined
  if (answer?.status !== undefined && answer.status !== 200) throw new Error(answer.text?.slice(0, 400))
  return performance.now() - started
}

const chunks = function*(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}
