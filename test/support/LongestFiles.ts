import { relative } from "node:path"
import type { Reporter, TestModule } from "vitest/node"

const shown = 10

/** Seconds from the first import of a file to its last hook. Many files start a service while Vitest imports them. */
const secondsOf = (file: TestModule) => {
  const { collectDuration, duration, setupDuration } = file.diagnostic()
  return (collectDuration + setupDuration + duration) / 1000
}

/** Lists the longest test files at the end of a run, so that nobody overlooks a file that grows. */
export default class LongestFiles implements Reporter {
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
