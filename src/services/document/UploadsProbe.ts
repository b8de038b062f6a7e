import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { errnoCode, isFull } from "./DiskErrors.ts"
import { makeFolder, storeFolders } from "./StoreFolders.ts"

const bytes = 4096

/**
 * Checks that uploads can be written: writes a small file like an upload's, then removes it. If the process is killed
 * in between, the sweep (FileSweeper.ts) removes the file. While a disk hangs, no second probe starts, because each
 * would occupy a thread.
 */
export const probeUploads = (root: string): Effect.Effect<void, string> => {
  let looking: Promise<void> | undefined
  const look = async () => {
    const { temporary } = storeFolders(root)
    await makeFolder(temporary, root)
    const file = join(temporary, randomBytes(16).toString("hex"))
    try {
      await Fs.writeFile(file, randomBytes(bytes), { flag: "wx", mode: 0o600 })
    } finally {
      await Fs.rm(file, { force: true })
    }
  }
  return Effect.tryPromise({
    try: () => looking ??= look().finally(() => looking = undefined),
    catch: (error) => {
      const code = errnoCode(error) ?? "failed"
      if (isFull(code)) return `the disk of UPLOAD_DIR is full (${code})`
      if (code === "ENOENT") return "the folder of UPLOAD_DIR is missing: is its disk mounted?"
      return code === "EROFS" || code === "EACCES" || code === "EPERM"
        ? `the folder of UPLOAD_DIR cannot be written to (${code})`
        : `the folder of UPLOAD_DIR is out of reach (${code})`
    }
  })
}
