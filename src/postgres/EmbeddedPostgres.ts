import { Context, Effect, Layer, Schema } from "effect"
import { randomBytes, randomInt } from "node:crypto"
import * as Fs from "node:fs/promises"
import { createServer } from "node:net"
import { join, resolve } from "node:path"
import pg from "pg"
import { EmbeddedPostgresFailed } from "./EmbeddedPostgresFailed.ts"
import { isAlive, lockFolder } from "./FolderLock.ts"
import { loadPrograms, type PostgresPrograms } from "./PostgresPrograms.ts"

/** Connection strings of a running embedded cluster and the PEM certificate that its TLS must be verified with. */
export interface Cluster {
  readonly ownerUrl: string
  readonly runtimeUrl: string
  /** For tests only; the service never uses it. */
  readonly superuserUrl: string
  readonly caCertificate: string
}

/**
 * A real PostgreSQL server from an npm package, used if no database is configured. Its files are in `directory`. The
 * server is a separate process. If a killed service left it running, the next start takes it over.
 */
export class EmbeddedPostgres extends Context.Service<EmbeddedPostgres, Cluster>()("vrss/postgres/EmbeddedPostgres") {
  static readonly layer = (directory: string) => Layer.effect(EmbeddedPostgres, start(resolve(directory)))
}

const Passwords = Schema.Struct({ superuser: Schema.String, owner: Schema.String, runtime: Schema.String })

const decodePasswords = Schema.decodeUnknownSync(Schema.fromJsonString(Passwords))

const attempt = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof EmbeddedPostgresFailed
        ? cause
        : new EmbeddedPostgresFailed({ message: `embedded PostgreSQL: ${what} failed: ${reason(cause)}` })
  })

const start = Effect.fnUntraced(function*(directory: string) {
  const data = join(directory, "data")
  yield* attempt("creating its folder", () => Fs.mkdir(directory, { recursive: true, mode: 0o700 }))
  yield* Effect.acquireRelease(
    attempt(`locking ${directory}`, async () => lockFolder(directory)),
    (lock) => Effect.sync(() => lock.close())
  )
  const passwords = yield* attempt("keeping its passwords", async () => {
    const file = join(directory, "passwords.json")
    if (!await exists(file)) {
      await Fs.writeFile(`${file}.new`, JSON.stringify({ superuser: secret(), owner: secret(), runtime: secret() }), {
        mode: 0o600
      })
      await Fs.rename(`${file}.new`, file)
    }
    return decodePasswords(await Fs.readFile(file, "utf8"))
  })
  const running = yield* Effect.promise(() => runningPort(data))
  const port = running ?? (yield* attempt("finding a free port", freePort))
  const programs = yield* Effect.acquireRelease(
    attempt("finding its programs", () => loadPrograms(join(directory, "programs"))),
    ({ remove }) => Effect.promise(remove)
  )
  yield* attempt("initdb", () => initialise(directory, data, passwords.superuser, programs))
  const options = `-p ${port} -c listen_addresses=localhost -c unix_socket_directories= -c ssl=on`
  const launch = attempt(
    `starting (see ${join(data, "server.log")})`,
    () => programs.pgCtl(data, ["start", "-w", "-t", "60", "-l", "server.log", "-o", options])
  )
  const stop = Effect.promise(() => programs.pgCtl(data, ["stop", "-w", "-m", "fast"]).catch(() => undefined))
  yield* Effect.acquireRelease(running === undefined ? launch : Effect.void, () => stop)

  const url = (role: string, password: string, database = "vrss") =>
    `postgres://${role}:${password}@localhost:${port}/${database}?sslmode=verify-full`
  const caCertificate = yield* attempt("reading its certificate", () => Fs.readFile(join(data, "server.crt"), "utf8"))
  yield* attempt(
    "creating its roles",
    () => bootstrap(url("postgres", passwords.superuser, "postgres"), caCertificate, passwords)
  )
  return EmbeddedPostgres.of({
    ownerUrl: url("vrss_owner", passwords.owner),
    runtimeUrl: url("vrss_app", passwords.runtime),
    superuserUrl: url("postgres", passwords.superuser),
    caCertificate
  })
})

/** Runs initdb in a temporary folder and then moves the finished cluster, so that a kill leaves no incomplete one. */
const initialise = async (directory: string, data: string, password: string, programs: PostgresPrograms) => {
  if (await exists(join(data, "PG_VERSION"))) return
  const fresh = join(directory, `initdb-${process.pid}`)
  const cluster = join(fresh, "data")
  const write = async (file: string, text: string) => {
    await Fs.writeFile(file, text, { mode: 0o600 })
    await programs.own(file)
  }
  try {
    await Fs.mkdir(cluster, { recursive: true, mode: 0o700 })
    for (const folder of [fresh, cluster]) await programs.own(folder)
    await write(join(fresh, "password"), password)
    await programs.initdb(cluster, ["-U", "postgres", "--pwfile", "../password", "--auth", "scram-sha-256",
      "--encoding", "UTF8", "--locale", "C", "--no-sync"])
    const { cert, private: key } = await (await import("selfsigned")).generate([{
      name: "commonName",
      value: "localhost"
    }], {
      keyType: "ec",
      algorithm: "sha256",
      notAfterDate: new Date(Date.now() + 10 * 365 * 86_400_000),
      extensions: [
        { name: "basicConstraints", cA: true, critical: true },
        { name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }, { type: 7, ip: "127.0.0.1" }] }
      ]
    })
    await write(join(cluster, "server.crt"), cert)
    await write(join(cluster, "server.key"), key)
    await Fs.rename(cluster, data)
  } finally {
    await Fs.rm(fresh, { recursive: true, force: true })
  }
}

/** Creates the database and the login roles; the migrations create the rest. */
const bootstrap = async (url: string, ca: string, passwords: typeof Passwords.Type) => {
  const client = new pg.Client({ connectionString: url.split("?", 1)[0], ssl: { ca, servername: "localhost" } })
  await client.connect()
  try {
    const { rows } = await client.query("select datname from pg_database where datname = 'vrss'")
    if (rows.length > 0) return
    await client.query(`
      do $$ begin
        if not exists (select from pg_roles where rolname = 'vrss_owner') then
          create role vrss_owner login createrole password ${pg.escapeLiteral(passwords.owner)};
          create role vrss_app login nosuperuser nobypassrls password ${pg.escapeLiteral(passwords.runtime)};
        end if;
      end $$`)
    await client.query("create database vrss owner vrss_owner")
  } finally {
    await client.end()
  }
}

/** Returns the port of this cluster's running postmaster (`postmaster.pid`: line 1 pid, line 4 port, line 8 status). */
const runningPort = async (data: string) => {
  const lines = (await readOr(join(data, "postmaster.pid"), "")).split("\n")
  const [pid, port, status] = [Number(lines[0]), Number(lines[3]), lines[7]?.trim()]
  return port > 0 && status === "ready" && isAlive(pid) ? port : undefined
}

/** Ports that `freePort` has returned, because two calls must not return the same one. */
const returned = new Set<number>()

/** Finds a free port below 32768. Linux could give a higher one to an outgoing connection before it is used. */
export const freePort = async () => {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(15_000, 32_768)
    if (returned.has(port) || !await isFree(port)) continue
    returned.add(port)
    return port
  }
  throw new Error("No port from 15000 to 32767 is free.")
}

const isFree = (port: number) =>
  new Promise<boolean>((told) => {
    const server = createServer().once("error", () => told(false))
    server.listen(port, "localhost", () => void server.close(() => told(true)))
  })

const secret = () => randomBytes(24).toString("base64url")

const readOr = (path: string, absent: string) => Fs.readFile(path, "utf8").catch(() => absent)

const exists = (path: string) => Fs.access(path).then(() => true, () => false)

const reason = (cause: unknown) => {
  const failed = cause as { readonly stderr?: string; readonly message?: string }
  return (failed.stderr?.trim() || failed.message || String(cause)).replaceAll("\n", " ")
}
