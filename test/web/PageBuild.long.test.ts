import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { hashOfInputs, isBuilt, stampOf } from "../../src/pages/BuiltPages.ts"
import { portal } from "../../src/pages/Sites.ts"
import { openFolder } from "../support/App.ts"
import { root } from "../support/Imports.ts"
import { until } from "../support/Until.ts"

const folder = await openFolder()

const out = join(folder, "portal")

/** What a build says that has nothing to do. */
const current = { status: 0, output: `${out} is up to date\n` }

/** The names of all files and folders in a folder. */
const namesIn = (folder: string) => (readdirSync(folder, { recursive: true }) as Array<string>).sort()

/** Runs `npm run build` in a separate process. */
const build = (...flags: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [join(root, "web/build.ts"), ...flags], { env: { PATH: process.env["PATH"] } })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
  return { child, ended: once(child, "close").then(([status]) => ({ status: status as number | null, output })) }
}

describe("npm run build", () => {
  test("The command has a help text, and refuses a folder that has other files", async () => {
    const help = await build("--help").ended
    assert.deepStrictEqual([help.status, help.output.includes("--out")], [0, true])
    writeFileSync(join(folder, "precious"), "")
    assert.deepStrictEqual(await build("--out", folder).ended, {
      status: 1,
      output: `${folder} has files other than the built pages: choose another folder\n`
    })
    assert.deepStrictEqual(readdirSync(folder), ["precious"])
  })

  test("A killed build leaves the old pages; only one of two concurrent builds does the work, and old files are removed", async () => {
    mkdirSync(join(out, "assets"), { recursive: true })
    const before = { "index.html": "before", "assets/before.js": "before" }
    for (const [file, text] of Object.entries(before)) writeFileSync(join(out, file), text)
    writeFileSync(stampOf(out), "before")
    const killed = build("--out", out, "--plain")
    await until("it has begun", async () => existsSync(`${out}.lock`), 120_000)
    killed.child.kill("SIGKILL")
    assert.deepStrictEqual(await killed.ended, { status: null, output: "" })
    for (const [file, text] of Object.entries(before)) assert.strictEqual(readFileSync(join(out, file), "utf8"), text)

    const both = await Promise.all([build("--out", out, "--plain").ended, build("--out", out, "--plain").ended])
    assert.deepStrictEqual(both.map(({ status }) => status), [0, 0])
    assert.lengthOf(both.filter(({ output }) => output === current.output), 1)
    assert.deepStrictEqual(namesIn(out), namesIn(portal.folder).filter((name) => !/\.(br|gz)$/.test(name)))
  })

  test("A full build replaces a plain one, which then is not built again; a deleted folder is", async () => {
    const { output, status } = await build("--out", out).ended
    assert.deepStrictEqual([status, output === current.output], [0, false], output)
    assert.deepStrictEqual(namesIn(out), namesIn(portal.folder))
    assert.strictEqual(readFileSync(stampOf(out), "utf8"), readFileSync(stampOf(portal.folder), "utf8"))
    assert.deepStrictEqual(await build("--out", out, "--plain").ended, current)
    assert.deepStrictEqual(await build("--out", out).ended, current)
    rmSync(out, { recursive: true })
    assert.isFalse(await isBuilt(out, await hashOfInputs(portal), true))
  })
})
