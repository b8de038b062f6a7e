import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode } from "./DiskErrors.ts"
import { syncFolder } from "./StoreFolders.ts"

/** Name of the file in UPLOAD_DIR with the database's id. The database keeps this id in its table `file_store`. */
export const markName = "database-id"

/** Name of the file in UPLOAD_DIR with the folder's own id, by which two processes know that they share one folder. */
const storeIdName = "store-id"

export interface Mark {
  readonly id: string
  /** The bucket where a folder's files are now; in a bucket, the bucket's own id. */
  readonly more: string | undefined
}

export const markOf = (text: string): Mark => {
  const [id = "", more] = text.trim().split(/\s+/)
  return { id, more }
}

export const readMark = async (root: string) => {
  try {
    return markOf(await Fs.readFile(join(root, markName), "utf8"))
  } catch (error) {
    if (errnoCode(error) !== "ENOENT") throw error
    return undefined
  }
}

/** Writes into the mark where the files are now. A start without UPLOAD_URL is then refused. */
export const markMoved = async (root: string, id: string, bucket: string) => {
  const fresh = join(root, `${markName}-${randomUUID()}`)
  try {
    await Fs.writeFile(fresh, `${id} ${bucket}\n`, { mode: 0o600, flag: "wx", flush: true })
    await Fs.rename(fresh, join(root, markName))
  } finally {
    await Fs.rm(fresh, { force: true })
  }
  await syncFolder(root)
}

/** Marks the folder as this database's. If two processes start together, only one's mark stays. */
export const makeMark = (root: string, id: string) => makeOnce(root, markName, id)

/** Returns the folder's own id, and makes one for a folder that has none. It is the same under each path and mount. */
export const storeIdOf = async (root: string) => {
  const known = () =>
    Fs.readFile(join(root, storeIdName), "utf8").catch((error: unknown) => {
      if (errnoCode(error) !== "ENOENT") throw error
      return undefined
    })
  const found = await known()
  if (found !== undefined) return found.trim()
  await makeOnce(root, storeIdName, randomUUID())
  return (await known() ?? "").trim()
}

/** Writes a complete file and links it under its name, unless there is one. A process that is killed leaves no half. */
const makeOnce = async (root: string, name: string, text: string) => {
  const fresh = join(root, `${name}-${randomUUID()}`)
  try {
    await Fs.writeFile(fresh, `${text}\n`, { mode: 0o600, flag: "wx", flush: true })
    await Fs.link(fresh, join(root, name))
  } catch (error) {
    if (errnoCode(error) !== "EEXIST") throw error
  } finally {
    await Fs.rm(fresh, { force: true })
  }
  await syncFolder(root)
}
