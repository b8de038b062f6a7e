import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import pg from "pg"
import { openCluster } from "../support/DebianPostgres.ts"
import { startService } from "../support/Service.ts"
import { countsOf } from "./Counts.ts"
import { live, settings } from "./Life.ts"
import { readEverything } from "./Reading.ts"

/** Makes a kept database in the folder that the argument names. See test/fixtures/upgrade/README.md. */
const [, , folder] = process.argv

if (folder === undefined) throw new Error("node test/upgrade/make.ts <folder>")

const root = await mkdtemp(join(tmpdir(), "vrss-kept-"))
const cluster = await openCluster(root, "kept")
const ca = await readFile(cluster.authority, "utf8")

const connect = async (database: string) => {
  const url = new URL(cluster.url("postgres", "administrator", database))
  url.search = ""
  const client = new pg.Client({ connectionString: url.href, ssl: { ca } })
  client.on("error", () => {})
  await client.connect()
  return client
}

try {
  const administrator = await connect("postgres")
  for (
    const statement of [
      "create role vrss_owner login createrole password 'owner'",
      "create role vrss_runtime nologin",
      "create role vrss_app login password 'app' in role vrss_runtime",
      "create database vrss owner vrss_owner template template0 encoding 'UTF8'"
    ]
  ) await administrator.query(statement)
  await administrator.end()

  const url = (role: "owner" | "runtime" | "superuser") =>
    role === "owner" ? cluster.url("vrss_owner", "owner", "vrss") : cluster.url("vrss_app", "app", "vrss")
  const uploads = join(root, "uploads")
  await mkdir(uploads)
  const service = await startService({ url, caCertificate: ca }, { ...settings, UPLOAD_DIR: uploads })
  const superuser = await connect("vrss")
  const keys = await live(service, superuser)

  const { stdout: dump } = await promisify(execFile)(
    "pg_dump",
    ["--inserts", "--rows-per-insert=500", cluster.url("postgres", "administrator", "vrss")],
    { env: { ...process.env, PGSSLROOTCERT: cluster.authority }, maxBuffer: 2 ** 28 }
  )
  const counts = await countsOf(superuser)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(join(uploads, "files"), join(folder, "files"), { recursive: true })
  // Lines that begin with a backslash are for psql alone.
  await writeFile(join(folder, "dump.sql.gz"), gzipSync(dump.replaceAll(/^\\.*\n/gm, "")))
  const kept = { keys, counts, answers: await readEverything(service, keys) }
  await writeFile(join(folder, "kept.json.gz"), gzipSync(JSON.stringify(kept)))
  await superuser.end()
  await service.stop()
} finally {
  await cluster.close()
  await rm(root, { recursive: true, force: true })
}
