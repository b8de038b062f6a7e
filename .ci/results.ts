import { readFileSync } from "node:fs"
import { relative } from "node:path"

/**
 * Reads Vitest's reports in JSON, one for each tier.
 *
 * `failed REPORT` prints the files that failed, one a line. `judge [--bare REPORT] REPORT...` repeats the failures,
 * where the end of a long log shows them. It fails if a test was skipped that may not be. The file allowed-skips.json
 * names the tests that may be, by the beginning of their full names and each with its reason. The file bare-skips.json
 * names files whose tests may be skipped on the bare machine, each with what it needs. The last line counts.
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

const read = (path: string): Report => JSON.parse(readFileSync(path, "utf8"))

const listed = (name: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"))

const fileOf = (path: string) => relative(process.cwd(), path)

const testsOf = ({ testResults }: Report) =>
  testResults.flatMap(({ assertionResults, name }) =>
    assertionResults.map((result) => ({ ...result, file: fileOf(name) }))
  )

const isSkipped = ({ status }: { readonly status: string }) => status !== "passed" && status !== "failed"

const tell = (file: string, what: string, message: string) => {
  console.log(`failed, ${file}: ${what}`)
  console.log(message.split("\n", maxLines).map((line) => `  ${line}`).join("\n"))
}

const judge = (bare: Report | undefined, others: ReadonlyArray<Report>) => {
  const [allowed, needs] = [listed("allowed-skips.json"), listed("bare-skips.json")]
  const onBare = bare === undefined ? [] : testsOf(bare)
  const tests = [...onBare, ...others.flatMap(testsOf)]
  const reasonOf = (test: typeof tests[number]) =>
    Object.entries(allowed).find(([beginning]) => test.fullName.startsWith(beginning))?.[1] ??
      (onBare.includes(test) ? needs[test.file] : undefined)
  for (const test of tests.filter(isSkipped)) {
    const reason = reasonOf(test)
    if (reason === undefined) process.exitCode = 1
    console.log(reason === undefined ? `not allowed: ${test.fullName}` : `allowed, ${reason}: ${test.fullName}`)
  }
  for (const name of Object.keys(allowed).filter((name) => !tests.some(({ fullName }) => fullName.startsWith(name)))) {
    console.log(`no test begins with what allowed-skips.json names: ${name}`)
  }
  for (const name of Object.keys(needs)) {
    if (bare === undefined || onBare.some((test) => test.file === name && isSkipped(test))) continue
    console.log(`nothing is skipped in what bare-skips.json names: ${name}`)
  }
  const failed = tests.filter(({ status }) => status === "failed")
  for (const { failureMessages, file, fullName } of failed) tell(file, fullName, failureMessages.join("\n"))
  for (const { testResults } of bare === undefined ? others : [bare, ...others]) {
    for (const { assertionResults, message, name, status } of testResults) {
      if (status === "failed" && assertionResults.length === 0) tell(fileOf(name), "the file does not load", message)
    }
  }
  const passed = tests.filter(({ status }) => status === "passed").length
  console.log(`${passed} passed, ${failed.length} failed, ${tests.filter(isSkipped).length} skipped`)
}

const [command, ...reports] = process.argv.slice(2)

if (command === "failed") {
  for (const { name, status } of read(reports[0]!).testResults) if (status === "failed") console.log(fileOf(name))
} else if (reports[0] === "--bare") judge(read(reports[1]!), reports.slice(2).map(read))
else judge(undefined, reports.map(read))
