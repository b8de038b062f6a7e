import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode } from "./DiskErrors.ts"
import { syncFolder } from "./StoreFolders.ts"

/** Name of the file in UPLOAD_DIR with the database's id. The database keeps this id in its table `file_store`. */
export const markName = "database-id"

export const readMark = async (root: string) => {
  try {
    return (await Fs.readFile(join(root, markName), "utf8")).trim()
  } catch (error) {
    if (errnoCode(error) !== "ENOENT") throw error
    return undefined
  }
}

/** Writes a complete file and links it as the mark. If two processes start together, only one link succeeds. */
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
