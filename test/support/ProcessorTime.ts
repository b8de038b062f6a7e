import { appendFileSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"

/** What a test run spends processor time for. */
type Cause =
  | "starts of services"
  | "work of services"
  | "browsers"
  | "other programs"
  | "copies of databases"
  | "statements in databases"
  | "tests and their imports"
  | "the run itself"

/** Linux counts a process's time in hundredths of a second. */
const ticksPerSecond = 100

const read = (path: string) => {
  try {
    return readFileSync(`/proc/${path}`, "utf8")
  } catch {
    // Another system, or a process that has ended.
    return ""
  }
}

/**
 * Returns the seconds that a process has used, and those of its children that it has awaited (proc_pid_stat(5)). They
 * are 0 on a system without /proc.
 */
export const timesOf = (pid: number | "self") => {
  const stat = read(`${pid}/stat`)
  // The second field is a name in parentheses, which may contain spaces.
  const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 15).map(Number)
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = ticks
  return { own: (user + system) / ticksPerSecond, ended: (childrensUser + childrensSystem) / ticksPerSecond }
}

export const childrenOf = (pid: number) => read(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number)

/** Returns the seconds of a process and of all processes below it, those that have ended included. */
export const timeOfAll = (pid: number): number => {
  const { ended, own } = timesOf(pid)
  return childrenOf(pid).reduce((sum, child) => sum + timeOfAll(child), own + ended)
}

export const isBrowser = (pid: number) => /chrom|headless|firefox/.test(read(`${pid}/cmdline`))

interface Entry {
  readonly pid: number
  readonly cause: Cause
  readonly seconds: number
}

/** The file with the run's account (LongestFiles.ts). Benchmarks have none. */
const account = () => process.env["TEST_PROCESSOR_TIME"]

export const spend = (cause: Cause, seconds: number) => {
  const file = account()
  if (file === undefined) return
  appendFileSync(file, `${JSON.stringify({ pid: process.pid, cause, seconds } satisfies Entry)}\n`)
}

const entries = (): ReadonlyArray<Entry> => {
  const file = account()
  return file === undefined
    ? []
    : readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line))
}

const isOf = (...causes: ReadonlyArray<Cause>) => ({ cause }: Entry) => causes.includes(cause)

const sum = (entries: ReadonlyArray<Entry>) => entries.reduce((sum, { seconds }) => sum + seconds, 0)

/** Accounts for what a worker has used itself, and for its programs besides services and browsers. */
export const spendOfWorker = () => {
  const { ended, own } = timesOf("self")
  const known = entries().filter(({ pid }) => pid === process.pid)
    .filter(isOf("starts of services", "work of services", "browsers"))
  spend("other programs", Math.max(0, ended - sum(known)))
  spend("tests and their imports", own)
}

/** Accounts for the cluster, whose folder names its first process, except for the copies that are accounted for. */
export const spendOnStatements = async (data: string) => {
  // Without the file the cluster has ended by itself.
  const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => undefined)
  if (file === undefined) return
  const postmaster = Number(file.split("\n", 1)[0])
  spend("statements in databases", timeOfAll(postmaster) - sum(entries().filter(isOf("copies of databases"))))
}

/** Accounts for the process that runs Vitest and for the programs of its set-up. All workers have ended. */
export const spendOfRun = () => {
  const { ended, own } = timesOf("self")
  const workers = entries().filter((entry) => !isOf("copies of databases", "statements in databases")(entry))
  spend("the run itself", own + ended - sum(workers))
}

export const spentInAll = () => sum(entries())

/** Returns the run's seconds by cause, the most first. */
export const spent = () =>
  Object.entries(Object.groupBy(entries(), ({ cause }) => cause))
    .map(([cause, ofCause]) => [cause, sum(ofCause)] as const)
    .sort(([, one], [, other]) => other - one)
