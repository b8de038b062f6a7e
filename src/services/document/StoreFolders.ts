import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode } from "./DiskErrors.ts"

export interface StoreFolders {
  /** This is UPLOAD_DIR itself. */
  readonly root: string
  readonly temporary: string
  readonly files: string
  /** What no row claimed waits here before it is removed. */
  readonly trash: string
}

export const storeFolders = (root: string): StoreFolders => ({
  root,
  temporary: join(root, "tmp"),
  files: join(root, "files"),
  trash: join(root, "trash")
})

/** Not recursive: where UPLOAD_DIR itself is missing, its disk is away, and a folder in its place would hide the files. */
export const makeFolder = async (folder: string, root: string) => {
  try {
    await Fs.mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (errnoCode(error) === "EEXIST") return
    throw error
  }
  await syncFolder(root)
}

/** From here on the names in a folder outlive a power cut. */
export const syncFolder = async (folder: string) => {
  await using handle = await Fs.open(folder)
  await handle.sync()
}

/** Gives names of the form that the store gives, and no others: UPLOAD_DIR may hold somebody else's files. */
export const storedNames = async function*(folder: string) {
  for await (const { name } of await Fs.opendir(folder, { bufferSize: 500 })) {
    if (/^[0-9a-f]{32}$/.test(name)) yield name
  }
}
