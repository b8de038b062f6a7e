import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, test } from "vitest"
import { openFolder } from "./support/App.ts"

const ci = join(import.meta.dirname, "../.ci")

const folder = await openFolder()

const listed = (name: string) => JSON.parse(readFileSync(join(ci, name), "utf8"))

const [allowed] = Object.keys(listed("allowed-skips.json"))

const [needing] = Object.keys(listed("bare-skips.json"))

const costs = listed("costs.json")

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
  return readReports("judge", ...reports)
}

const readReports = (...args: ReadonlyArray<string>) => {
  const { status, stdout } = spawnSync(process.execPath, [join(ci, "results.ts"), ...args], { encoding: "utf8" })
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

test("A file that does not load is named too, and is one of those that failed", () => {
  const report = join(folder, "results-unloaded.json")
  const testResults = [
    {
      name: join(process.cwd(), "test/a.ts"),
      status: "failed",
      message: "Error: no such module",
      assertionResults: []
    },
    { name: join(process.cwd(), "test/b.ts"), status: "passed", message: "", assertionResults: [] }
  ]
  writeFileSync(report, JSON.stringify({ testResults }))
  assert.deepStrictEqual(readReports("judge", report).lines.slice(-3), [
    "failed, test/a.ts: the file does not load",
    "  Error: no such module",
    "0 passed, 0 failed, 0 skipped"
  ])
  assert.deepStrictEqual(readReports("failed", report).lines, ["test/a.ts"])
})

test("A test may be skipped on the bare machine if its file is listed, and nowhere else", () => {
  const report = (name: string, file: string) => {
    const path = join(folder, `${name}.json`)
    const assertionResults = [{ fullName: "A seal is intact", status: "skipped", failureMessages: [] }]
    const testResults = [{ name: join(process.cwd(), file), status: "passed", message: "", assertionResults }]
    writeFileSync(path, JSON.stringify({ testResults }))
    return path
  }
  const [listed, other] = [report("listed", needing!), report("other", "test/a.ts")]
  const full = join(folder, "full.json")
  writeFileSync(full, JSON.stringify({ testResults: [] }))
  assert.strictEqual(readReports("judge", "--bare", listed, full).status, 0)
  assert.strictEqual(readReports("judge", "--bare", other, full).status, 1)
  assert.strictEqual(readReports("judge", "--bare", full, listed).status, 1)
})

test.each([[109, 0], [112, 1]])(
  "A tier that costs %s of 100 committed pieces of work exits with %s",
  (seconds, expected) => {
    const account = join(folder, "account")
    writeFileSync(account, `{"cause":"browsers","seconds":${seconds * costs.quick / 100}}\n`)
    const pieces = join(folder, "pieces")
    writeFileSync(pieces, "0.5\n1.5\n")
    const args = [join(ci, "guard.ts"), "quick", pieces]
    const env = { ...process.env, TEST_PROCESSOR_TIME: account }
    assert.strictEqual(spawnSync(process.execPath, args, { env }).status, expected)
  }
)

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
