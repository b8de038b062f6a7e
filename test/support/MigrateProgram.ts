import { Cause, ConfigProvider, Effect, Exit } from "effect"
import { Command } from "effect/cli"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Vitest from "vitest"
import { ProgramFailed } from "../../src/client/operator/Program.ts"
import { commandLine } from "../../src/layers/CommandLine.ts"
import { migrateCommand } from "../../src/layers/MigrateCommand.ts"
import { captured } from "./Captured.ts"
import { createDatabase } from "./Database.ts"
import { type Outcome, startProgram } from "./RunProgram.ts"

type Environment = Record<string, string | undefined>

const command = Command.runWith(migrateCommand, { version: "" })

/** Runs the command within the test's process, which takes a twentieth of the time of the program's start. */
const migrateInProcess = async (args: ReadonlyArray<string>, environment: Environment): Promise<Outcome> => {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  const { exit, ...said } = await captured(
    command(args).pipe(
      Effect.provide(commandLine("migrate")),
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))
    )
  )
  const failure = Exit.isSuccess(exit) ? undefined : Cause.squash(exit.cause)
  return { ...said, code: failure === undefined ? 0 : failure instanceof ProgramFailed ? failure.code ?? 1 : 1 }
}

/** Makes an empty database and a migration folder, against which the command runs. */
const project = async () => {
  const database = await createDatabase("template0")
  const owner = await database.connect("owner")
  const root = await Fs.mkdtemp(join(tmpdir(), "migrate-test-"))
  const directory = join(root, "migrations")
  const caFile = join(root, "ca.pem")
  await Fs.mkdir(directory)
  await Fs.writeFile(caFile, database.caCertificate)

  /** Returns the owner's connection string without parameters for TLS. `parts` replace other parts of it. */
  const url = (parts: Partial<URL> = {}) => Object.assign(new URL(database.url("owner")), { search: "", ...parts }).href
  const sql = async (text: string) => (await owner.query(text)).rows
  const write = (name: string, text: string | Uint8Array) => Fs.writeFile(join(directory, name), text)
  const settings = (environment: Environment) => ({
    MIGRATION_DATABASE_URL: url(),
    DATABASE_CA_CERT: caFile,
    ...environment
  })
  const inFolder = (args: ReadonlyArray<string>) => ["--directory", directory, ...args]

  return {
    directory,
    sql,
    url,
    write,
    /** Starts the program, which a test may kill. */
    start: (args: ReadonlyArray<string>, environment: Environment = {}) =>
      startProgram("migrate", inFolder(args), { environment: settings(environment) }),
    runWith: (args: ReadonlyArray<string>, environment: Environment) =>
      migrateInProcess(inFolder(args), settings(environment)),
    run: (...args: ReadonlyArray<string>) => migrateInProcess(inFolder(args), settings({})),
    writeAll: async (files: Record<string, string>) => {
      for (const [name, text] of Object.entries(files)) await write(name, text)
    },
    /** Opens another connection of the owner. */
    session: () => database.connect("owner"),
    asSuperuser: async (text: string) => (await (await database.connect("superuser")).query(text)).rows,
    tables: async () => {
      const rows = await sql("select tablename from pg_tables where schemaname = 'public' order by 1")
      return rows.map((row) => String(row["tablename"])).filter((name) => name !== "schema_migrations")
    },
    applied: async () => {
      const rows = await sql("select name from schema_migrations order by name")
      return rows.map((row) => String(row["name"]))
    },
    close: async () => {
      await database.close()
      await Fs.rm(root, { recursive: true, force: true })
    }
  }
}

export type Project = Awaited<ReturnType<typeof project>>

/** Gives each test its own project. The tests of a file run at the same time. */
export const test = (name: string, files: Record<string, string>, run: (p: Project) => Promise<void>) =>
  Vitest.test.concurrent(name, async () => {
    const p = await project()
    try {
      await p.writeAll(files)
      await run(p)
    } finally {
      await p.close()
    }
  })

export const two = { "001_a.sql": "create table a (id int);\n", "002_b.sql": "create table b (id int);\n" }
