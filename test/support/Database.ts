import { Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { inject } from "vitest"
import { connection, forPg } from "../../src/layers/Connection.ts"
import type { Cluster } from "../../src/postgres/EmbeddedPostgres.ts"
import { spend, timesOf } from "./ProcessorTime.ts"

export type Role = "owner" | "runtime" | "superuser"

export const clusterConnection = (cluster: Cluster, role: Role, database = "vrss") => {
  const url = new URL(cluster[`${role}Url`])
  url.pathname = `/${database}`
  return connection(Redacted.make(url.href), { production: false, caCertificate: cluster.caCertificate })
}

/**
 * Turns PostgreSQL's waits for the disk on or off. It waits at each commit and when a database is dropped. Without the
 * waits a crash may lose data, so tests that crash PostgreSQL start their own cluster.
 */
export const setDurability = async (cluster: Cluster, to: "on" | "off") => {
  const client = new pg.Client(forPg(clusterConnection(cluster, "superuser")))
  await client.connect()
  for (const name of ["fsync", "full_page_writes"]) await client.query(`alter system set ${name} = ${to}`)
  await client.query("select pg_reload_conf()")
  // A session notices the new configuration only between two statements, so this asks until it is there.
  const isSet = "select current_setting('fsync') = $1 and current_setting('full_page_writes') = $1 as set"
  while (!(await client.query(isSet, [to])).rows[0].set) await setTimeout(5)
  await client.end()
}

/** A migrated database. Its connection strings verify the cluster's certificate. */
export interface TestDatabase {
  readonly name: string
  readonly url: (role: Role) => string
  readonly caCertificate: string
  /** Connects a client, which `close` disconnects. */
  readonly connect: (role: Role) => Promise<pg.Client>
  readonly close: () => Promise<void>
}

export const createDatabase = async (template = "vrss"): Promise<TestDatabase> => {
  const cluster = inject("cluster")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  // The top level of a test file may await this, and Vitest sets no time limit there. So this connection has its own
  // limits.
  const administrator = new pg.Client({
    ...forPg(clusterConnection(cluster, "superuser", "postgres")),
    connectionTimeoutMillis: 60_000,
    statement_timeout: 60_000
  })
  administrator.on("error", () => {})
  await administrator.connect()
  const { rows: [backend] } = await administrator.query("select pg_backend_pid() as pid")
  // PostgreSQL makes one copy of a template at a time, so other workers wait here.
  await administrator.query("select pg_advisory_lock(1)")
  // Without waits for the disk, this strategy takes a third of the default strategy's processor time.
  await administrator.query(`create database ${name} template ${template} owner vrss_owner strategy file_copy`)
  // In a new database PostgreSQL lets every role create temporary objects, even if the template does not. The service
  // refuses a runtime role with this right (DatabaseGuard.ts), so it is revoked as in migrations/001_roles.sql.
  await administrator.query(`revoke temporary on database ${name} from public`)
  await administrator.query("select pg_advisory_unlock(1)")
  const clients: Array<pg.Client> = []
  return {
    name,
    url: (role) => {
      const url = new URL(cluster[`${role}Url`])
      url.pathname = `/${name}`
      return url.href
    },
    caCertificate: cluster.caCertificate,
    connect: async (role) => {
      const client = new pg.Client(forPg(clusterConnection(cluster, role, name)))
      client.on("error", () => {})
      await client.connect()
      clients.push(client)
      return client
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
      await administrator.query(`drop database ${name} with (force)`)
      spend("copies of databases", timesOf(backend.pid).own)
      await administrator.end()
    }
  }
}
