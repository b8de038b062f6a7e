import * as Fs from "node:fs/promises"
import { join } from "node:path"

/** What the service makes for itself is kept here, in the folder that it is started in. */
export const dataFolder = ".data"

/**
 * Makes a folder in `.data` and answers its path. Secrets, keys and mails are kept there, so both are for their owner
 * alone, whoever made them and however.
 */
export const makeDataFolder = async (...names: ReadonlyArray<string>) => {
  const folder = join(dataFolder, ...names)
  for (const path of new Set([dataFolder, folder])) {
    await Fs.mkdir(path, { recursive: true, mode: 0o700 })
    if (((await Fs.stat(path)).mode & 0o077) !== 0) await Fs.chmod(path, 0o700)
  }
  return folder
}
