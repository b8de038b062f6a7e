import { join } from "node:path"
import { atEnd, openDatabase, openFolder } from "../../support/App.ts"
import { type Service, startService } from "../../support/Service.ts"

/**
 * Opens two processes of one service, which share a database and an upload folder. `home` is the folder above `.data`.
 * `start` starts one more process.
 */
export const openTwoProcesses = async (settings: Record<string, string> = {}) => {
  const home = { directory: await openFolder() }
  const database = await openDatabase()
  const superuser = await database.connect("superuser")
  const started: Array<Service> = []
  atEnd(() => Promise.all(started.map((service) => service.stop("SIGKILL"))))
  const start = async () => {
    const service = await startService(database, { UPLOAD_DIR: join(home.directory, ".data/uploads"), ...settings })
    started.push(service)
    return service
  }
  return { home, database, superuser, one: await start(), other: await start(), start }
}
