import { readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import { openDatabase, openFolder } from "../../support/App.ts"
import { startService } from "../../support/Service.ts"
import { sweepAfter } from "../../support/Sweep.ts"

type Within = "files" | "tmp" | "trash"

/** Opens a database and an upload folder for services that a test file starts and kills. `root` is above `.data`. */
export const openUploadFolder = async () => {
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  const root = await openFolder()
  const folder = join(root, ".data/uploads")
  const environment = { UPLOAD_DIR: folder }
  const files = async (within: Within) => (await readdir(join(folder, within)).catch(() => [])).sort()
  return {
    database,
    superuser,
    root,
    folder,
    files,
    start: () => startService(database, environment),
    /** The name of a document's file. */
    fileOf: async ({ id }: { readonly id: string }): Promise<string> =>
      (await superuser.query("select storage_key from documents where id = $1", [id])).rows[0].storage_key,
    /** Makes the files of a folder look two hours old. */
    age: async (within: Within) => {
      const past = new Date(Date.now() - 2 * 3_600_000)
      for (const name of await files(within)) await utimes(join(folder, within, name), past, past)
    },
    /** Runs the sweep on the folder, as the service does an hour after its start. */
    sweptAnHourLater: (done: () => Promise<boolean>) => sweepAfter(60, database, environment, "they are swept", done)
  }
}
