import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { freePort } from "../../src/postgres/EmbeddedPostgres.ts"
import { sessionLimits } from "../../src/sql/Sessions.ts"
import { localhostCertificate } from "./Certificates.ts"
import type { Role, TestDatabase } from "./Database.ts"
import { until } from "./Until.ts"

/** Debian's package installs PgBouncer outside the usual PATH. */
const program = "/usr/sbin/pgbouncer"

export const noPgBouncer = spawnSync(program, ["--version"]).status !== 0

const roles: ReadonlyArray<Role> = ["owner", "runtime", "superuser"]

const running = new Set<ChildProcess>()

const killRunning = () => running.forEach((child) => child.kill("SIGKILL"))

// Vitest may end the worker without running the file's hooks (see Service.ts).
process.once("exit", killRunning).once("SIGTERM", () => {
  killRunning()
  process.kill(process.pid, "SIGTERM")
})

/** Starts a real PgBouncer in front of a database, with TLS on both sides. */
export const openPgBouncer = async (
  database: Pick<TestDatabase, "url" | "caCertificate">,
  settings: Record<string, string | number> = {}
) => {
  const folder = await mkdtemp(join(tmpdir(), "vrss-pgbouncer-"))
  const port = await freePort()
  const { cert, private: key } = await localhostCertificate("pooler")
  const target = new URL(database.url("runtime"))
  const users = roles.map((role) => new URL(database.url(role))).map(({ password, username }) =>
    `"${username}" "${decodeURIComponent(password)}"\n`
  )
  const configuration = {
    listen_addr: "localhost",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: join(folder, "users.txt"),
    admin_users: new URL(database.url("superuser")).username,
    logfile: join(folder, "log"),
    client_tls_sslmode: "require",
    client_tls_cert_file: join(folder, "server.crt"),
    client_tls_key_file: join(folder, "server.key"),
    server_tls_sslmode: "verify-full",
    server_tls_ca_file: join(folder, "ca.crt"),
    default_pool_size: 60,
    ...settings
  }
  const files = {
    "server.crt": cert,
    "server.key": key,
    "ca.crt": database.caCertificate,
    "users.txt": users.join(""),
    log: "",
    "pgbouncer.ini": `[databases]\n* = host=localhost port=${target.port}\n[pgbouncer]\n${
      Object.entries(configuration).map(([name, value]) => `${name} = ${value}\n`).join("")
    }`
  }
  await chmod(folder, 0o777)
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), name === "log" ? 0o666 : 0o644)
  }
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  let child: ChildProcess
  const kill = async () => {
    const exited = once(child, "exit")
    child.kill("SIGKILL")
    await exited
    running.delete(child)
  }
  const isListening = () =>
    new Promise<boolean>((tried) => {
      const socket = connect(port, "localhost", () => tried(true)).on("error", () => tried(false))
      socket.on("connect", () => socket.destroy())
    })
  const start = async () => {
    child = spawn(program, ["-q", ...user, join(folder, "pgbouncer.ini")], { stdio: "ignore" })
    running.add(child)
    await until("PgBouncer listens", isListening).catch(async (cause) => {
      throw new Error(await readFile(join(folder, "log"), "utf8"), { cause })
    })
  }
  await start()
  return {
    caCertificate: cert,
    url: (role: Role) => {
      const url = new URL(database.url(role))
      url.port = `${port}`
      return url.href
    },
    kill,
    start,
    /** Gives PgBouncer a command of its console, as `RECONNECT`. Returns the rows of its answer. */
    command: async (command: string) => {
      const url = new URL(database.url("superuser"))
      const client = new pg.Client({
        host: "localhost",
        port,
        user: url.username,
        password: decodeURIComponent(url.password),
        database: "pgbouncer",
        ssl: { ca: cert }
      })
      await client.connect()
      const { rows } = await client.query(command)
      await client.end()
      return rows as ReadonlyArray<Record<string, unknown>>
    },
    close: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Starts a PgBouncer and sets the limits of a session, which it ignores. `superuser` connects to `database`. */
export const openLimitedPooler = async (
  database: Pick<TestDatabase, "url" | "caCertificate">,
  superuser: pg.Client,
  settings: { readonly pool_mode: "session" | "transaction"; readonly default_pool_size?: number }
) => {
  const { rows: [{ name: current }] } = await superuser.query("select current_database() as name")
  // docs/operator.md sets these limits for the role.
  for (const [name, milliseconds] of Object.entries(sessionLimits)) {
    await superuser.query(`alter role vrss_app in database ${current} set ${name} = '${milliseconds}ms'`)
  }
  const pooler = await openPgBouncer(database, {
    ...settings,
    ignore_startup_parameters: Object.keys(sessionLimits).join(", "),
    server_login_retry: 1,
    server_connect_timeout: 3
  })
  return {
    ...pooler,
    database: {
      caCertificate: `${pooler.caCertificate}\n${database.caCertificate}`,
      url: (role: Role) => role === "runtime" ? pooler.url(role) : database.url(role)
    }
  }
}
