import { readFileSync } from "node:fs"

/**
 * Reads Vitest's reports in JSON, one for each tier. Only the tests that allowed-skips.json names, by the beginning of
 * their full names and each with its reason, may be skipped. The last line counts.
 */
interface Report {
  readonly testResults: ReadonlyArray<{
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
}

const reports: ReadonlyArray<Report> = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")))

const allowed: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("allowed-skips.json", import.meta.url), "utf8")
)

const tests = reports.flatMap(({ testResults }) => testResults).flatMap(({ assertionResults }) => assertionResults)

const [passed, failed] = ["passed", "failed"].map((wanted) => tests.filter(({ status }) => status === wanted).length)

const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed")

for (const { fullName } of skipped) {
  const name = Object.keys(allowed).find((beginning) => fullName.startsWith(beginning))
  if (name === undefined) process.exitCode = 1
  console.log(name === undefined ? `not allowed: ${fullName}` : `allowed, ${allowed[name]}: ${fullName}`)
}

for (const name of Object.keys(allowed).filter((name) => !tests.some(({ fullName }) => fullName.startsWith(name)))) {
  console.log(`no test begins with what allowed-skips.json names: ${name}`)
}

console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
