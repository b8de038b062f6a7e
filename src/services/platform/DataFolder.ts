import * as Fs from "node:fs/promises"
import { join } from "node:path"

/** Folder for all files that the service makes for itself, relative to its working directory. */
export const dataFolder = ".data"

/**
 * Makes a folder in `.data` and returns its path. Secrets, keys and mails are stored there, so only the owner may use
 * both folders, even if they existed before with another mode.
 */
export const makeDataFolder = async (...names: ReadonlyArray<string>) => {
  const folder = join(dataFolder, ...names)
  for (const path of new Set([dataFolder, folder])) {
    await Fs.mkdir(path, { recursive: true, mode: 0o700 })
    if (((await Fs.stat(path)).mode & 0o077) !== 0) await Fs.chmod(path, 0o700)
  }
  return folder
}
