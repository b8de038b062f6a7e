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

/** Fails with the errno where files could not be stored, read or thrown away; those of the folders that are missing are made later. */
export const checkWritable = async (root: string) => {
  const { files, temporary, trash } = storeFolders(root)
  const all = Fs.constants.R_OK | Fs.constants.W_OK | Fs.constants.X_OK
  // The dot makes a file in its place an error.
  await Fs.access(`${root}/.`, all)
  for (const folder of [temporary, files, trash]) {
    await Fs.access(folder, all).catch((error: unknown) => {
      if (errnoCode(error) !== "ENOENT") throw error
    })
  }
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
