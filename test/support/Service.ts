import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert } from "vitest"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import type { TestDatabase } from "./Database.ts"
import { inherited, programFile } from "./Environment.ts"
import { spend, timeOfAll } from "./ProcessorTime.ts"

export const exchangeSecret = "test exchange secret"

export const drainerSecret = "test drainer secret of at least 32 bytes"

export const adminSecret = "test admin secret of at least 32 bytes"

/** The real service, in its own process and on a database of the tests. */
export interface Service {
  readonly url: string
  readonly directory: string
  readonly process: ChildProcess
  /** Returns the standard output and standard error so far. */
  readonly output: () => string
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

const main = programFile("main")

/**
 * Vitest runs no `afterAll` of a file that fails while it loads, or whose tests are all filtered out. In these cases
 * Vitest ends the worker by SIGTERM, and the worker kills its services.
 */
const running = new Set<ChildProcess>()

/** The folders of files, by database. All processes of one database must share one. */
const folders = new Map<string, { readonly path: string; users: number }>()

const killRunning = () => {
  running.forEach((child) => child.kill("SIGKILL"))
  for (const { path } of folders.values()) rmSync(path, { recursive: true, force: true })
}

process.once("exit", killRunning).once("SIGTERM", () => {
  killRunning()
  process.kill(process.pid, "SIGTERM")
})

const signingPath = process.env["TEST_SIGNING"]

/** The run's certificate (global-setup.ts). Benchmarks have none. */
const signing = signingPath === undefined
  ? {}
  : { ROI_SIGNING_CERTIFICATE: `${signingPath}.crt`, ROI_SIGNING_KEY: `${signingPath}.key` }

/** A run of `npm run test:pooler` has a pooler in transaction mode before its databases (global-setup.ts). */
const { TEST_POOLER: poolerPort, TEST_POOLER_CA: poolerAuthority } = process.env

const runtimeOf = ({ url }: Pick<TestDatabase, "url">) =>
  poolerPort === undefined
    ? { DATABASE_APP_URL: url("runtime") }
    : {
      DATABASE_APP_URL: Object.assign(new URL(url("runtime")), { port: poolerPort }).href,
      DATABASE_SESSION_URL: url("runtime")
    }

const authoritiesOf = async ({ caCertificate }: Pick<TestDatabase, "caCertificate">) =>
  poolerAuthority === undefined ? caCertificate : `${caCertificate}\n${await readFile(poolerAuthority, "utf8")}`

const borrowFolder = (database: string) => {
  const shared = folders.get(database) ?? { path: mkdtempSync(join(tmpdir(), "vrss-uploads-")), users: 0 }
  folders.set(database, shared)
  shared.users++
  let isBorrowed = true
  return {
    path: shared.path,
    giveBack: async () => {
      if (!isBorrowed) return
      isBorrowed = false
      if (--shared.users > 0) return
      folders.delete(database)
      await rm(shared.path, { recursive: true, force: true })
    }
  }
}

/** Starts a process and does not wait until it listens. */
export const launch = async (environment: Record<string, string | undefined>, program = main) => {
  const directory = await mkdtemp(join(tmpdir(), "vrss-service-"))
  const database = URL.parse(environment["DATABASE_APP_URL"] ?? "")?.pathname
  const shared = database?.startsWith("/test_") ? borrowFolder(database) : undefined
  // `uploads` is UPLOAD_DIR in production, where the service does not create it.
  if (shared === undefined) await mkdir(join(directory, "uploads"))
  else {
    await mkdir(join(directory, ".data"), { mode: 0o700 })
    for (const path of [".data/uploads", "uploads"]) await symlink(shared.path, join(directory, path))
  }
  let output = ""
  const child = spawn(process.execPath, [...(process.env["NODE_EXTRA"]?.split(" ") ?? []), program], {
    cwd: directory,
    env: { ...inherited, ...environment } as NodeJS.ProcessEnv
  })
  running.add(child.once("exit", () => running.delete(child)))
  child.stdout.on("data", (chunk) => output += chunk)
  child.stderr.on("data", (chunk) => output += chunk)
  return { directory, process: child, output: () => output, giveBack: shared?.giveBack }
}

/** Asserts that a start is refused and that its log has only warnings. Returns the lines of its standard error. */
export const refused = async (environment: Record<string, string | undefined>) => {
  const { directory, process: child } = await launch(environment)
  let [errors, output] = ["", ""]
  child.stderr.on("data", (chunk) => errors += chunk)
  child.stdout.on("data", (chunk) => output += chunk)
  const [status] = await once(child, "close")
  await rm(directory, { recursive: true, force: true })
  assert.strictEqual(status, 1)
  const logged = output.trim().split("\n").filter((line) => line !== "" && !/"level":"warn"/.test(line))
  assert.deepStrictEqual(logged, [])
  assert.match(errors, /\n$/)
  return errors.trimEnd().split("\n")
}

export const startService = async (
  database: Pick<TestDatabase, "url" | "caCertificate">,
  environment: Record<string, string | undefined> = {},
  program?: string
): Promise<Service> => {
  const port = await freePort()
  const certificates = await mkdtemp(join(tmpdir(), "vrss-ca-"))
  const certificate = join(certificates, "ca.pem")
  await writeFile(certificate, await authoritiesOf(database))
  const { directory, giveBack, output, process: child } = await launch({
    APP_ENV: "test",
    PORTAL_PORT: "0",
    PORT: `${port}`,
    // Google redirects browsers to this address.
    OAUTH_ISSUER: `http://localhost:${port}`,
    ...runtimeOf(database),
    MIGRATION_DATABASE_URL: database.url("owner"),
    DATABASE_CA_CERT: certificate,
    VETERAN_SESSION_EXCHANGE_SECRET: exchangeSecret,
    INTERNAL_ADMIN_SECRET: adminSecret,
    PROOF_DRAINER_SECRET: drainerSecret,
    LOG_FORMAT: "json",
    // The test client sends a random address with each call, unless a test sets one.
    TRUSTED_PROXY_HOPS: "1",
    ...(environment["APP_ENV"] === "production" ? {} : signing),
    ...environment
  }, program)
  // `close` comes after `exit`, when the service's last lines have been read.
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>
  const url = `http://localhost:${port}`
  let startTime: number | undefined
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (startTime !== undefined) spend("work of services", timeOfAll(child.pid!) - startTime)
    startTime = undefined
    child.kill(signal)
    const [code] = await ended
    await rm(directory, { recursive: true, force: true })
    await rm(certificates, { recursive: true, force: true })
    await giveBack?.()
    return code
  }
  const isHealthy = () =>
    fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).then((response) => response.ok, () => false)
  // The top level of a test file may await this, and Vitest sets no time limit there. So this loop has its own limit.
  const deadline = Date.now() + 60_000
  while (!await isHealthy()) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await stop("SIGKILL")
      throw new Error(`the service did not start:\n${output()}`)
    }
    await setTimeout(25)
  }
  startTime = timeOfAll(child.pid!)
  spend("starts of services", startTime)
  void ended.then(([code, signal]) => {
    if (child.killed) return
    const last = output().trimEnd().split("\n").slice(-20).join("\n")
    console.error(`the service ended by itself (code ${code}, signal ${signal}):\n${last}`)
  })
  return { url, directory, process: child, output, stop }
}
