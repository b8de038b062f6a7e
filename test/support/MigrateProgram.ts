import { spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Vitest from "vitest"
import { createDatabase } from "./Database.ts"
import { inherited, programFile } from "./Environment.ts"

const program = programFile("migrate")

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Makes an empty database and a migration folder, against which the real program runs. */
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
  const start = (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [program, "--directory", directory, ...args], {
      env: { ...inherited, MIGRATION_DATABASE_URL: url(), DATABASE_CA_CERT: caFile, ...environment }
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text)
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text)
    const outcome = new Promise<Outcome>((ended) => {
      child.on("close", (code) => ended({ code, stdout, stderr }))
    })
    return { child, outcome }
  }

  return {
    directory,
    sql,
    start,
    url,
    write,
    run: (...args: ReadonlyArray<string>) => start(args).outcome,
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
