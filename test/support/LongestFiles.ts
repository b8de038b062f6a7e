import { rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"
import { spendOfRun, spent, spentInAll } from "./ProcessorTime.ts"

const shown = 10

/** Seconds from the first import of a file to its last hook. Many files start a service while Vitest imports them. */
const secondsOf = (file: TestModule) => {
  const { collectDuration, duration, setupDuration } = file.diagnostic()
  return (collectDuration + setupDuration + duration) / 1000
}

/** Prints what the processor's time was spent for. On a system without /proc nothing counts it. */
const printCauses = () => {
  spendOfRun()
  const total = spentInAll()
  if (total === 0) return
  console.log(`Processor time: ${Math.round(total)} s`)
  for (const [cause, seconds] of spent()) console.log(`${seconds.toFixed(1).padStart(7)} s  ${cause}`)
}

/**
 * Lists the longest test files at the end of a run, so that nobody overlooks a file that grows. Then it tells the
 * processor's time by its causes. TEST_PROCESSOR_TIME may name a file that keeps the account.
 */
export default class LongestFiles implements Reporter {
  onInit() {
    const { TEST_PROCESSOR_TIME: kept } = process.env
    const account = kept ?? join(tmpdir(), `vrss-processor-time-${process.pid}`)
    writeFileSync(account, "")
    process.env["TEST_PROCESSOR_TIME"] = account
    // The workers end after the last report.
    process.once("exit", () => {
      printCauses()
      if (kept === undefined) rmSync(account)
    })
  }

  onTestRunEnd(files: ReadonlyArray<TestModule>) {
    const seconds = files.map(secondsOf)
    const longest = files.map((file, index) => ({ file, seconds: seconds[index]! }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, shown)
    const total = seconds.reduce((sum, one) => sum + one, 0)
    console.log(`The longest of ${files.length} test files, which took ${Math.round(total)} s in all:`)
    for (const { file, seconds } of longest) {
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${relative(process.cwd(), file.moduleId)}`)
    }
  }
}
