import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode } from "./DiskErrors.ts"
import { syncFolder } from "./StoreFolders.ts"

/** This file in UPLOAD_DIR names the one database that the files belong to, by the id in its table `file_store`. */
export const markName = "database-id"

/** Answers undefined where there is none. */
export const readMark = async (root: string) => {
  try {
    return (await Fs.readFile(join(root, markName), "utf8")).trim()
  } catch (error) {
    if (errnoCode(error) !== "ENOENT") throw error
    return undefined
  }
}

/** The mark is written aside and linked when whole: of two first starts at once, by whatever database, one makes it. */
export const makeMark = async (root: string, id: string) => {
  const fresh = join(root, `${markName}-${randomUUID()}`)
  try {
    await Fs.writeFile(fresh, `${id}\n`, { mode: 0o600, flag: "wx", flush: true })
    await Fs.link(fresh, join(root, markName))
  } catch (error) {
    if (errnoCode(error) !== "EEXIST") throw error
  } finally {
    await Fs.rm(fresh, { force: true })
  }
  await syncFolder(root)
}
