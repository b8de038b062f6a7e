import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, onTestFinished } from "vitest"
import { createDatabase } from "./Database.ts"
import { startService } from "./Service.ts"

// A test file awaits these at its top; the file's end closes them, what was opened last first.

export const openDatabase = async () => {
  const database = await createDatabase()
  afterAll(database.close)
  return database
}

export const openService = async (...start: Parameters<typeof startService>) => {
  const service = await startService(...start)
  afterAll(async () => {
    await service.stop()
  })
  return service
}

/** Opens a database of the file's own and the real service on it. */
export const openApp = async (environment: Record<string, string | undefined> = {}) => {
  const database = await openDatabase()
  const service = await openService(database, environment)
  return { database, service }
}

/** Makes an empty folder, which goes with all that the tests put into it. */
export const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "vrss-test-"))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Closes what was opened at the end of the test, the last first. */
export const used = async <A extends { readonly close: () => Promise<unknown> }>(opening: Promise<A>): Promise<A> => {
  const opened = await opening
  onTestFinished(async () => void await opened.close())
  return opened
}
