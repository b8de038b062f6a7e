import { Effect, Exit, Layer, Scope } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import pg from "pg"
import { generate } from "selfsigned"
import type { TestProject } from "vitest/node"
import { forPg } from "../../src/layers/Connection.ts"
import { type Cluster, EmbeddedPostgres } from "../../src/postgres/EmbeddedPostgres.ts"
import { Migrations } from "../../src/sql/Migrations.ts"
import { sessionLimits } from "../../src/sql/Sessions.ts"
import { bundle } from "./Bundle.ts"
import { clusterConnection, setDurability } from "./Database.ts"
import { openPgBouncer } from "./PgBouncer.ts"
import { spendOnStatements } from "./ProcessorTime.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly cluster: Cluster
  }
}

/** Starts a real PostgreSQL cluster for the whole run. The tests' databases are copies of its migrated database. */
export default async ({ provide }: TestProject) => {
  // Vite allows one configuration in a process. This process has Vitest's, so another process builds the pages.
  const pages = promisify(execFile)(process.execPath, [fileURLToPath(new URL("../../web/build.ts", import.meta.url))])
  // Both are made while the cluster starts. A failure is told once the cluster can be stopped.
  const making = Promise.all([bundle(), pages])
  making.catch(() => {})
  const directory = await mkdtemp(join(await memoryFolder() ?? tmpdir(), "vrss-test-"))
  process.env["TEST_SIGNING"] = await makeSigning(directory)
  const start = async () => {
    const scope = Scope.makeUnsafe()
    const context = await Effect.runPromise(Layer.buildWithScope(EmbeddedPostgres.layer(directory), scope))
    const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
    return { cluster: await Effect.runPromise(Effect.provideContext(EmbeddedPostgres, context)), stop }
  }
  const first = await start().catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
  await configure(first.cluster)
  await first.stop()
  const { cluster, stop } = await start()
  const owner = clusterConnection(cluster, "owner")
  await Effect.runPromise(
    Migrations.use((migrations) => migrations.apply()).pipe(
      Effect.provide(Migrations.layer({
        connection: forPg(owner),
        directory: fileURLToPath(new URL("../../migrations", import.meta.url))
      }))
    )
  )
  const client = new pg.Client(forPg(owner))
  await client.connect()
  await client.query("grant vrss_runtime to vrss_app")
  await client.end()
  await setDurability(cluster, "off")
  const pooler = process.env["TEST_POOLER"] === undefined ? undefined : await openPooler(cluster, directory)
  provide("cluster", cluster)
  const close = async () => {
    await pooler?.close()
    await spendOnStatements(join(directory, "data"))
    await stop()
    await rm(directory, { recursive: true, force: true })
  }
  const [bundled] = await making.catch(async (error: unknown) => {
    await close()
    throw error
  })
  process.env["TEST_BUNDLE"] = bundled
  return close
}

/** The memory, in bytes, that the clusters of two runs at the same time need at most. */
const clusterMemory = 2 * 1024 ** 3

/**
 * Returns a folder in memory, if there is one with enough room. A database has 1,500 files, and their copies take
 * twenty times as much processor time on a disk.
 */
const memoryFolder = async () => {
  const folder = "/dev/shm"
  const room = await statfs(folder).then(({ bavail, bsize }) => bavail * bsize, () => 0)
  return room < clusterMemory ? undefined : folder
}

/**
 * Raises the limit of connections, because each worker has several services with up to 18 connections each. PostgreSQL
 * reads the limit only when it starts. Autovacuum would look through the 1,500 files of each database once a minute.
 */
const configure = async (cluster: Cluster) => {
  const client = new pg.Client(forPg(clusterConnection(cluster, "superuser")))
  await client.connect()
  await client.query("alter system set max_connections = 500")
  await client.query("alter system set autovacuum = off")
  await client.end()
}

/** Makes one certificate for the tests' services. Making one in each service would take a tenth of its start's time. */
const makeSigning = async (directory: string) => {
  const path = join(directory, "signing")
  const { cert, private: key } = await generate([{ name: "commonName", value: "Clinic" }], {
    keyType: "ec",
    // The log and the doctor would report a certificate that ends within 30 days or is not valid yet.
    notBeforeDate: new Date(Date.now() - 86_400_000),
    notAfterDate: new Date(Date.now() + 90 * 86_400_000)
  })
  await writeFile(`${path}.crt`, cert)
  await writeFile(`${path}.key`, key)
  return path
}

/**
 * Puts a pooler in transaction mode between the run's services and their databases, with 6 connections to each
 * (Service.ts). The limits of a session are the role's, as docs/operator.md says.
 */
const openPooler = async (cluster: Cluster, directory: string) => {
  const client = new pg.Client(forPg(clusterConnection(cluster, "superuser")))
  await client.connect()
  for (const [name, milliseconds] of Object.entries(sessionLimits)) {
    await client.query(`alter role vrss_app set ${name} = '${milliseconds}ms'`)
  }
  await client.end()
  const pooler = await openPgBouncer(
    { caCertificate: cluster.caCertificate, url: (role) => cluster[`${role}Url`] },
    {
      pool_mode: "transaction",
      default_pool_size: 6,
      max_client_conn: 1_000,
      ignore_startup_parameters: Object.keys(sessionLimits).join(", ")
    }
  )
  const certificate = join(directory, "pooler.pem")
  await writeFile(certificate, pooler.caCertificate)
  process.env["TEST_POOLER"] = new URL(pooler.url("runtime")).port
  process.env["TEST_POOLER_CA"] = certificate
  return pooler
}
