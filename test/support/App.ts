import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type pg from "pg"
import { afterAll, onTestFinished } from "vitest"
import { createDatabase, type TestDatabase } from "./Database.ts"
import { type Service, startService } from "./Service.ts"
import { atWorkerEnd } from "./WorkerEnvironment.ts"

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

type Settings = Record<string, string | undefined>

interface App {
  readonly database: TestDatabase
  readonly service: Service
}

/** Takes what must close at the end of a file, or of a worker. */
export type AtEnd = (close: () => Promise<unknown>) => void

export const startApp = async (settings: Settings, atEnd: AtEnd): Promise<App> => {
  const database = await createDatabase()
  atEnd(database.close)
  const service = await startService(database, settings)
  atEnd(() => service.stop())
  return { database, service }
}

/** Lends a file the app of its worker: connections that the file opens to the database end with the file. */
const lend = <A extends App>(app: A): A => {
  const clients: Array<pg.Client> = []
  afterAll(() => Promise.all(clients.map((client) => client.end())))
  const connect: TestDatabase["connect"] = async (role) => {
    const client = await app.database.connect(role)
    clients.push(client)
    return client
  }
  return { ...app, database: { ...app.database, connect } }
}

/** Makes a function that opens an app for one file if the file has settings, and otherwise the one of all the worker's files. */
export const sharing = <A extends App>(start: (settings: Settings, atEnd: AtEnd) => Promise<A>) => {
  let shared: Promise<A> | undefined
  return async (settings?: Settings): Promise<A> => {
    if (settings !== undefined) return start(settings, afterAll)
    shared ??= start({}, atWorkerEnd)
    return lend(await shared)
  }
}

/**
 * Opens the service and the database that all files of a worker share, because a start costs more than most tests. A file
 * must therefore count only what its own veterans, providers and addresses did. A file with settings gets its own.
 */
export const openApp = sharing(startApp)

/** Opens a service and a database for a file that changes or counts what belongs to the whole of them. */
export const openOwnApp = () => openApp({})

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
