import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type pg from "pg"
import { afterAll, onTestFinished, TestRunner } from "vitest"
import { createDatabase, type TestDatabase } from "./Database.ts"
import { type Service, startService } from "./Service.ts"
import { atWorkerEnd } from "./WorkerEnvironment.ts"

/** Registers a function that runs at the end of a test, a file or a worker. */
export type AtEnd = (close: () => unknown) => void

/**
 * Registers `close` for the end of the running test or, when no test is running, for the end of the file. Vitest
 * ignores an `afterAll` within a test.
 */
export const atEnd: AtEnd = (close) =>
  TestRunner.getCurrentTest() === undefined
    ? afterAll(async () => void await close())
    : onTestFinished(async () => void await close())

// A test or the top level of a test file awaits these functions. At the end of that test or file, everything that they
// opened is closed, the newest first.

export const openDatabase = async () => {
  const database = await createDatabase()
  atEnd(database.close)
  return database
}

export const openService = async (...start: Parameters<typeof startService>) => {
  const service = await startService(...start)
  atEnd(() => service.stop())
  return service
}

type Settings = Record<string, string | undefined>

interface App {
  readonly database: TestDatabase
  readonly service: Service
}

export const startApp = async (settings: Settings, register: AtEnd): Promise<App> => {
  const database = await createDatabase()
  register(database.close)
  const service = await startService(database, settings)
  register(() => service.stop())
  return { database, service }
}

/** Lends the worker's app to a file or a test. The connections that the borrower opens close at the borrower's end. */
const lend = <A extends App>(app: A): A => {
  const clients: Array<pg.Client> = []
  atEnd(() => Promise.all(clients.map((client) => client.end())))
  const connect: TestDatabase["connect"] = async (role) => {
    const client = await app.database.connect(role)
    clients.push(client)
    return client
  }
  return { ...app, database: { ...app.database, connect } }
}

/**
 * Returns a function that opens an app. With settings, it starts a new app. Without settings, it opens the one app that
 * the files of a worker share.
 */
export const sharing = <A extends App>(start: (settings: Settings, atEnd: AtEnd) => Promise<A>) => {
  let shared: Promise<A> | undefined
  return async (settings?: Settings): Promise<A> => {
    if (settings !== undefined) return start(settings, atEnd)
    shared ??= start({}, atWorkerEnd)
    return lend(await shared)
  }
}

/**
 * Opens the service and the database that all files of a worker share, because a start costs more than most tests.
 * A file must therefore count only what its own veterans, providers and addresses did. A file with settings has its own
 * service and database.
 */
export const openApp = sharing(startApp)

/** Opens a service and a database for a file that changes or counts what belongs to the whole service. */
export const openOwnApp = () => openApp({})

/** Makes an empty folder, which is removed with its contents at the end of the test or file. */
export const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "vrss-test-"))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Closes a resource at the end of the test. The newest resource closes first. */
export const used = async <A extends { readonly close: () => Promise<unknown> }>(opening: Promise<A>): Promise<A> => {
  const opened = await opening
  onTestFinished(async () => void await opened.close())
  return opened
}
