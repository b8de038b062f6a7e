import { Effect, Layer, Redacted, Scope } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import pg from "pg"
import { type Connection, connection, forPg } from "../src/layers/Connection.ts"
import { EmbeddedPostgres } from "../src/layers/EmbeddedPostgres.ts"
import { type Service, startService } from "../test/support/Service.ts"

/** A service with a database of its own, for one run of the benchmarks. */
export interface Bench {
  readonly service: Service
  readonly owner: pg.Client
  /** The runtime role's connection. */
  readonly runtime: Connection
}

export const open = Effect.fnUntraced(function*(environment: Record<string, string> = {}) {
  const directory = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "vrss-bench-")))
  const context = yield* Layer.buildWithScope(EmbeddedPostgres.layer(directory), yield* Scope.Scope)
  const { caCertificate, ownerUrl, runtimeUrl, superuserUrl } = yield* Effect.provideContext(EmbeddedPostgres, context)
  const urls = { owner: ownerUrl, runtime: runtimeUrl, superuser: superuserUrl }
  const service = yield* Effect.acquireRelease(
    Effect.promise(() => startService({ url: (role) => urls[role], caCertificate }, environment)),
    (service) => Effect.promise(() => service.stop())
  )
  const owner = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(forPg(connection(Redacted.make(superuserUrl), { production: false, caCertificate })))
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
  const runtime = connection(Redacted.make(runtimeUrl), { production: false, caCertificate })
  return { service, owner, runtime } satisfies Bench
})

/** The bare server with these bytes: the floor of an answer. Its port. */
export const openFloor = Effect.fnUntraced(function*(body: Uint8Array) {
  const file = join(yield* Effect.promise(() => mkdtemp(join(tmpdir(), "vrss-floor-"))), "body")
  yield* Effect.promise(() => writeFile(file, body))
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [fileURLToPath(new URL("bare-server.ts", import.meta.url)), file])),
    (child) => Effect.sync(() => child.kill())
  )
  return yield* Effect.promise(() =>
    new Promise<number>((found) => server.stdout.once("data", (port) => found(Number(port))))
  )
})

const shared = fileURLToPath(new URL("../../shared/fhir/syn-kristie55-treutel973", import.meta.url))

const kept = fileURLToPath(new URL("../test/fixtures/fhir/syn-zandra428-ohara248", import.meta.url))

/** Texts of real resources by type, `count` in all; a small record is repeated under other ids. */
export const resources = (count: number): Map<string, Array<string>> => {
  const folder = existsSync(shared) ? shared : kept
  const lines = readdirSync(folder).filter((file) => file.endsWith(".ndjson.gz")).flatMap((file) =>
    gunzipSync(readFileSync(join(folder, file))).toString().trim().split("\n").map((text) => ({
      type: file.split(".")[0]!,
      text
    }))
  )
  const chosen = Array.from({ length: count }, (_, n) => {
    const { text, type } = lines[n % lines.length]!
    return { type, text: n < lines.length ? text : text.replace(/"id":"/, `"id":"${Math.floor(n / lines.length)}-`) }
  })
  return new Map(
    Map.groupBy(chosen, ({ type }) => type).entries().map(([type, items]) => [type, items.map(({ text }) => text)])
  )
}

export const syncBody = (types: Map<string, Array<string>>) => {
  const statuses = Object.fromEntries([...types.keys()].map((type) => [type, "complete"]))
  const members = [...types].map(([type, texts]) => `${JSON.stringify(type)}:[${texts.join(",")}]`)
  return Buffer.from(`{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"resources":{${members.join(",")}}}`)
}

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const line = (name: string, ratio: number, aim: string, detail: string) =>
  console.log(`${name.padEnd(44)} ${ratio.toFixed(2).padStart(6)}   aim ${aim.padEnd(9)} ${detail}`)

/** In MB. */
export const residentSet = ({ process: { pid } }: Service) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

/** The largest resident set while `work` is done. */
export const watched = async (service: Service, work: () => Promise<unknown>) => {
  let most = 0
  const watch = setInterval(() => most = Math.max(most, residentSet(service)), 20)
  await work().finally(() => clearInterval(watch))
  return most
}
