import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode } from "./DiskErrors.ts"
import { syncFolder } from "./StoreFolders.ts"

/** Name of the file in UPLOAD_DIR with the database's id. The database keeps this id in its table `file_store`. */
export const markName = "database-id"

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
