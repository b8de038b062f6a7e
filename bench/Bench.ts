import { Effect, Layer, Redacted, Scope } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { connection, forPg } from "../src/layers/Connection.ts"
import { EmbeddedPostgres } from "../src/postgres/EmbeddedPostgres.ts"
import { call, type SignedIn } from "../test/support/Client.ts"
import { patientTexts } from "../test/support/Collection.ts"
import type { TestDatabase } from "../test/support/Database.ts"
import { type Service, startService } from "../test/support/Service.ts"
import * as Sync from "../test/support/Sync.ts"

/** A git checkout, with its own node_modules, whose service is measured. */
export interface Tree {
  readonly path: string
}

/** A new PostgreSQL server, which several services may use. */
export interface Database extends Pick<TestDatabase, "url" | "caCertificate"> {
  /** The superuser's connection, which sees all rows. */
  readonly owner: pg.Client
  /** The folder of the files, which all services of a database share. */
  readonly uploads: string
}

/** A service with its database. */
export interface Bench extends Database {
  readonly service: Service
  readonly port: number
}

export const temporary = (name: string) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), `vrss-bench-${name}-`))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

export const openDatabase = Effect.fnUntraced(function*() {
  const directory = yield* temporary("database")
  const context = yield* Layer.buildWithScope(EmbeddedPostgres.layer(directory), yield* Scope.Scope)
  const { caCertificate, ownerUrl, runtimeUrl, superuserUrl } = yield* Effect.provideContext(EmbeddedPostgres, context)
  const urls = { owner: ownerUrl, runtime: runtimeUrl, superuser: superuserUrl }
  const owner = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(forPg(connection(Redacted.make(superuserUrl), { production: false, caCertificate })))
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
  return { url: (role) => urls[role], caCertificate, owner, uploads: yield* temporary("uploads") } satisfies Database
})

export const startOn = (database: Database, { path }: Tree, environment: Record<string, string> = {}) =>
  startService(database, { UPLOAD_DIR: database.uploads, ...environment }, join(path, "src/main.ts"))

export const openService = (database: Database, tree: Tree, environment: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startOn(database, tree, environment)),
    (service) => Effect.promise(() => service.stop())
  )

export const portOf = ({ url }: Service) => Number(new URL(url).port)

export const open = Effect.fnUntraced(function*(tree: Tree, environment: Record<string, string> = {}) {
  const database = yield* openDatabase()
  const service = yield* openService(database, tree, environment)
  return { ...database, service, port: portOf(service) } satisfies Bench
})

/** Starts a program of this folder. The program must print its port, which this returns. */
export const start = Effect.fnUntraced(function*(program: string, argument: string) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), argument])),
    (child) => Effect.sync(() => child.kill())
  )
  let errors = ""
  child.stderr.on("data", (chunk) => errors += chunk)
  return yield* Effect.promise(() =>
    new Promise<number>((found, failed) => {
      child.stdout.once("data", (port) => found(Number(port)))
      child.once("exit", () => failed(new Error(/Error.*/.exec(errors)?.[0] ?? `${program} ended`)))
    })
  )
})

/** Starts a minimal server that answers every request with `body`. The benchmarks compare the service with it. */
export const openFloor = Effect.fnUntraced(function*(body: string | Uint8Array) {
  const file = join(yield* temporary("floor"), "body")
  yield* Effect.promise(() => writeFile(file, body))
  return yield* start("bare-server.ts", file)
})

/** Waits for a resource to open, and closes it when the scope closes. */
export const closed = <A extends { readonly close: () => Promise<unknown> }>(opening: Promise<A>) =>
  Effect.acquireRelease(Effect.promise(() => opening), (opened) => Effect.promise(() => opened.close()))

/**
 * Returns `count` resources of a test record as JSON texts, by type. The record has 3,165 resources. Beyond that
 * number, they are repeated with other ids.
 */
export const resources = (count: number): Sync.Texts => {
  const all = Object.entries(patientTexts("syn-kristie55-treutel973"))
    .flatMap(([type, texts]) => texts.map((text) => ({ type, text })))
  const chosen: Record<string, Array<string>> = {}
  for (let n = 0; n < count; n++) {
    const { text, type } = all[n % all.length]!
    const other = `"id":"${Math.floor(n / all.length)}-`
    ;(chosen[type] ??= []).push(n < all.length ? text : text.replace(/"id":"/, other))
  }
  return chosen
}

/** Makes a version of each resource by blanks at its beginning, as it is stored as its bytes. */
export const versioned = (count: number, version: (n: number) => number): Sync.Texts => {
  let n = 0
  const lead = () => `{${" ".repeat(version(n++))}`
  return Object.fromEntries(
    Object.entries(resources(count)).map(([type, texts]) => [type, texts.map((text) => text.replace(/^\s*\{/, lead))])
  )
}

const complete = (types: Sync.Texts) => Object.fromEntries(Object.keys(types).map((type) => [type, "complete"]))

export const syncBody = (types: Sync.Texts) => Buffer.from(Sync.syncBody(complete(types), types))

/** Returns a body with only a digest for each type, which says that the type has not changed. */
export const conditionalBody = (types: Sync.Texts) => {
  const digests = Object.entries(types).map(([type, texts]) => [type, Sync.digestOf(texts)])
  return Sync.syncBody(complete(types), {}, Object.fromEntries(digests))
}

/** Returns how many milliseconds a sync takes. Throws if its answer is not 200. */
export const timedSync = (service: Service, { headers }: Pick<SignedIn, "headers">, body: Uint8Array | string) =>
  timed(async () => expecting(200, await call(service, "POST", Sync.syncPath, { headers, body })))

/** Returns how many milliseconds `work` takes. */
export const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export const expecting = <A extends { readonly status: number; readonly text?: string }>(status: number, answer: A) => {
  if (answer.status !== status) {
    throw new Error(`${status} was expected, answered was ${answer.status} ${answer.text?.slice(0, 300) ?? ""}`)
  }
  return answer
}

/** The resident set of the service and its children, in MB; 0 for a process that has ended. */
export const residentSet = ({ process: { pid } }: Service) =>
  [pid!, ...childrenOf(pid!)].reduce((sum, pid) => sum + residentSetOf(pid), 0)

export const childrenOf = (pid: number) =>
  readProcess(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

const residentSetOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readProcess(`${pid}/status`))?.[1] ?? 0) / 1024

/** Reads a file in `/proc`. Returns an empty text if the process has already ended. */
const readProcess = (file: string) => {
  try {
    return readFileSync(`/proc/${file}`, "utf8")
  } catch {
    return ""
  }
}

/** Returns the largest resident set of the service, in MB, during `work`. */
export const watched = async (service: Service, work: () => Promise<unknown>) => {
  let most = 0
  const watch = setInterval(() => most = Math.max(most, residentSet(service)), 20)
  await work().finally(() => clearInterval(watch))
  return most
}

/**
 * The fields of `/proc/PID/stat` after the program's name, which may itself have spaces (proc(5)). The first is no
 * number. A process that has ended has zeros.
 */
export const statOf = (pid: number) => {
  const fields = readProcess(`${pid}/stat`).replace(/^.*\) /s, "").split(" ")
  return Array.from({ length: 15 }, (_, n) => Number(fields[n] ?? 0))
}

/** Milliseconds after which worker processes without work have ended: they do so after one to two minutes. */
export const quietMillis = 130_000
