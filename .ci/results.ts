import { readFileSync } from "node:fs"
import { relative } from "node:path"

/**
 * Reads Vitest's reports in JSON, one for each tier. Only the tests that allowed-skips.json names, by the beginning of
 * their full names and each with its reason, may be skipped. The failures are repeated here, where the end of a long
 * log shows them. The last line counts.
 */
interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: ReadonlyArray<{
      readonly fullName: string
      readonly status: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

/** The first lines of a failure have its message and where it was thrown. */
const maxLines = 30

const reports: ReadonlyArray<Report> = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")))

const allowed: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("allowed-skips.json", import.meta.url), "utf8")
)

const tests = reports.flatMap(({ testResults }) => testResults)
  .flatMap(({ assertionResults, name }) => assertionResults.map((result) => ({ ...result, file: name })))

const passed = tests.filter(({ status }) => status === "passed").length

const failed = tests.filter(({ status }) => status === "failed")

const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed")

for (const { fullName } of skipped) {
  const name = Object.keys(allowed).find((beginning) => fullName.startsWith(beginning))
  if (name === undefined) process.exitCode = 1
  console.log(name === undefined ? `not allowed: ${fullName}` : `allowed, ${allowed[name]}: ${fullName}`)
}

for (const name of Object.keys(allowed).filter((name) => !tests.some(({ fullName }) => fullName.startsWith(name)))) {
  console.log(`no test begins with what allowed-skips.json names: ${name}`)
}

const tell = (file: string, what: string, message: string) => {
  console.log(`failed, ${relative(process.cwd(), file)}: ${what}`)
  console.log(message.split("\n", maxLines).map((line) => `  ${line}`).join("\n"))
}

for (const { failureMessages, file, fullName } of failed) tell(file, fullName, failureMessages.join("\n"))

for (const { assertionResults, message, name, status } of reports.flatMap(({ testResults }) => testResults)) {
  if (status === "failed" && assertionResults.length === 0) tell(name, "the file does not load", message)
}

console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`)
