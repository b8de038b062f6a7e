import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, test } from "vitest"
import { openFolder } from "./support/App.ts"

const ci = join(import.meta.dirname, "../.ci")

const folder = await openFolder()

const [allowed] = Object.keys(JSON.parse(readFileSync(join(ci, "allowed-skips.json"), "utf8")))

type Outcomes = ReadonlyArray<readonly [fullName: string, status: string]>

/** Writes a report with these names and outcomes for each tier, and reads the reports as .ci/run does. */
const readTiers = (...tiers: ReadonlyArray<Outcomes>) => {
  const reports = tiers.map((tests, index) => {
    const report = join(folder, `results-${index}.json`)
    const failureMessages = ["Error: 1 is not 2\n    at a file"]
    const assertionResults = tests.map(([fullName, status]) => ({ fullName, status, failureMessages }))
    writeFileSync(
      report,
      JSON.stringify({ testResults: [{ name: join(process.cwd(), "test/a.ts"), assertionResults }] })
    )
    return report
  })
  const { status, stdout } = spawnSync(process.execPath, [join(ci, "results.ts"), ...reports], { encoding: "utf8" })
  return { status, lines: stdout.trimEnd().split("\n") }
}

const read = (...tests: Outcomes) => readTiers(tests)

test("A skipped test that allowed-skips.json names is no failure, and the last line counts the outcomes", () => {
  const { lines, status } = read(["a b", "passed"], [`${allowed} is skipped`, "skipped"], ["c", "failed"])
  assert.strictEqual(status, 0)
  assert.match(lines[0]!, /^allowed, mounting takes root: /)
  assert.strictEqual(lines.at(-1), "1 passed, 1 failed, 1 skipped")
})

test("A failed test is named again at the end of the log, with its message", () => {
  const { lines } = read(["a b", "passed"], ["c is two", "failed"])
  assert.deepStrictEqual(lines.slice(-4), [
    "failed, test/a.ts: c is two",
    "  Error: 1 is not 2",
    "      at a file",
    "1 passed, 1 failed, 0 skipped"
  ])
})

test("A file that does not load is named too", () => {
  const report = join(folder, "results-unloaded.json")
  const name = join(process.cwd(), "test/a.ts")
  const testResults = [{ name, status: "failed", message: "Error: no such module", assertionResults: [] }]
  writeFileSync(report, JSON.stringify({ testResults }))
  const { stdout } = spawnSync(process.execPath, [join(ci, "results.ts"), report], { encoding: "utf8" })
  assert.include(stdout, "failed, test/a.ts: the file does not load\n  Error: no such module\n0 passed, 0 failed")
})

test.each(["skipped", "pending", "todo"])(
  "A test that is %s and not listed fails the check, and its name is printed",
  (outcome) => {
    const { lines, status } = read(["a b", "passed"], ["a test of records", outcome])
    assert.strictEqual(status, 1)
    assert.include(lines, "not allowed: a test of records")
    assert.strictEqual(lines.at(-1), "1 passed, 0 failed, 1 skipped")
  }
)

test("A listed test that no longer exists is reported but does not fail the check", () => {
  const { lines, status } = read(["a b", "passed"])
  assert.strictEqual(status, 0)
  assert.include(lines, `no test begins with what allowed-skips.json names: ${allowed}`)
})

test("The outcomes of both tiers are added up, and an unlisted skipped test in either tier fails the check", () => {
  const { lines, status } = readTiers([["a", "passed"]], [["b", "passed"], ["a long test", "skipped"]])
  assert.strictEqual(status, 1)
  assert.include(lines, "not allowed: a long test")
  assert.strictEqual(lines.at(-1), "2 passed, 0 failed, 1 skipped")
})
