import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"

const sqliteBusy = 5

/** Locks a folder for this process until the returned lock is closed. The kernel frees the lock of a dead process. */
export const lockFolder = (folder: string): DatabaseSync => {
  const holder = join(folder, "owner.pid")
  const lock = new DatabaseSync(join(folder, "lock"), { timeout: 0 })
  try {
    lock.exec("begin exclusive")
  } catch (error) {
    lock.close()
    throw (error as { readonly errcode?: number }).errcode === sqliteBusy ? inUse(folder, holder) : error
  }
  writeFileSync(holder, `${process.pid}`)
  return lock
}

const inUse = (folder: string, holder: string) => {
  const pid = Number(readFileSync(holder, { encoding: "utf8", flag: "a+" }))
  return new EmbeddedPostgresFailed({
    message:
      `${folder} is in use by the service of ${
        isAlive(pid) ? `process ${pid}` : "another process"
      }: stop that service, ` +
      "or start this one in another folder (npm run demo -- --url plays on a running service)"
  })
}

export const isAlive = (pid: number) => {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
