import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode } from "./DiskErrors.ts"

export interface StoreFolders {
  readonly root: string
  readonly temporary: string
  readonly files: string
  /** Unclaimed files stay here until they are removed. */
  readonly trash: string
}

export const storeFolders = (root: string): StoreFolders => ({
  root,
  temporary: join(root, "tmp"),
  files: join(root, "files"),
  trash: join(root, "trash")
})

/** Makes a subfolder, but never UPLOAD_DIR: its disk, if mounted later, would hide the files in a new UPLOAD_DIR. */
export const makeFolder = async (folder: string, root: string) => {
  try {
    await Fs.mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (errnoCode(error) === "EEXIST") return
    throw error
  }
  await syncFolder(root)
}

/** Fails with the errno if files cannot be stored, read or moved to trash. Missing subfolders are made later. */
export const checkWritable = async (root: string) => {
  const { files, temporary, trash } = storeFolders(root)
  const all = Fs.constants.R_OK | Fs.constants.W_OK | Fs.constants.X_OK
  // The dot makes this fail if UPLOAD_DIR is a file.
  await Fs.access(`${root}/.`, all)
  for (const folder of [temporary, files, trash]) {
    await Fs.access(folder, all).catch((error: unknown) => {
      if (errnoCode(error) !== "ENOENT") throw error
    })
  }
}

/** Syncs a folder, so that its names survive a power failure. */
export const syncFolder = async (folder: string) => {
  await using handle = await Fs.open(folder)
  await handle.sync()
}

/** Yields only names of the store's form, because UPLOAD_DIR may contain other files. */
export const storedNames = async function*(folder: string) {
  for await (const { name } of await Fs.opendir(folder, { bufferSize: 500 })) {
    if (/^[0-9a-f]{32}$/.test(name)) yield name
  }
}
