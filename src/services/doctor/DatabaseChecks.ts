import { Clock, Effect } from "effect"
import { SessionConnections, SharedConnections } from "../../sql/Connections.ts"
import * as DatabaseGuard from "../../sql/DatabaseGuard.ts"
import * as ServerRepository from "../../sql/doctor/ServerRepository.ts"
import { migrationFolder, readMigrations } from "../../sql/MigrationFiles.ts"
import * as RecordSizeRepository from "../../sql/record/RecordSizeRepository.ts"
import { connectionProblems } from "../../sql/Sessions.ts"
import { Settings } from "../platform/Settings.ts"
import { check, error, errorIf, type Finding, refusals, warningIf } from "./Finding.ts"

const needs = ["DATABASE_APP_URL", "DATABASE_SESSION_URL", "DATABASE_URL", "DATABASE_CA_CERT"] as const

const oldestServer = 15

const server = Effect.gen(function*() {
  const { encoding, off, readOnly, standby, version } = yield* ServerRepository.make(yield* SharedConnections).server
  const lost: Readonly<Record<string, string>> = {
    fsync: "a power cut or a crash of the machine may destroy the database",
    full_page_writes: "a power cut may leave torn pages, and so a broken database",
    synchronous_commit: "a crash loses what was answered a moment before, such as a revoked link"
  }
  return [
    ...errorIf(
      version < oldestServer,
      `PostgreSQL is ${version}.`,
      `The service needs ${oldestServer} or later.`,
      "Upgrade the server (pg_upgrade)."
    ),
    ...errorIf(
      encoding !== "UTF8",
      `The database's encoding is ${encoding}.`,
      "Names and texts with other letters are refused with 500.",
      "Make a database with encoding 'UTF8' template template0, and restore into it."
    ),
    ...errorIf(
      standby,
      "The database is a standby.",
      "It accepts no writes: nearly every request is answered 503.",
      "Point DATABASE_APP_URL to the primary, or promote this one (select pg_promote()) if the primary is lost."
    ),
    ...errorIf(
      readOnly && !standby,
      "Transactions begin read-only (default_transaction_read_only).",
      "Nearly every request fails.",
      "alter role ... reset default_transaction_read_only; the same for the database and postgresql.conf."
    ),
    ...off.map((name) =>
      error(`${name} is off on this server.`, `Then ${lost[name]}.`, `Set ${name} = on in postgresql.conf, and reload.`)
    )
  ]
})

const sessions = Effect.gen(function*() {
  const { database } = yield* Settings
  const direct = database.sessionUrl && (yield* SessionConnections)
  const problems = yield* connectionProblems(yield* SharedConnections, direct)
  const remedy = `Do what the sentence says; docs/operator.md, "Scaling out", has the pooler's settings.`
  return refusals(
    problems,
    remedy,
    "Without sessions of its own the service loses locks and limits, and does not start."
  )
})

/** Connections of one process (layers/Database.ts): transactions, single statements, large syncs and a small sync. */
export const connectionsOf = (syncsAtOnce: number) => 9 + 2 + 4 + syncsAtOnce + 1

const connections = Effect.fnUntraced(function*(processes: number) {
  const { syncsAtOnce } = yield* Settings
  const server = yield* ServerRepository.make(yield* SharedConnections).server
  const needed = connectionsOf(syncsAtOnce) * processes
  const [available, bound] = [
    [server.connections, "max_connections without the reserved ones"] as const,
    [server.databaseConnections, "connection limit of the database"] as const,
    [server.roleConnections, "connection limit of the role"] as const
  ].filter(([count]) => count >= 0).reduce((lowest, limit) => limit[0] < lowest[0] ? limit : lowest)
  return errorIf(
    needed > available,
    `${
      processes === 1 ? "A process opens" : `${processes} processes open`
    } up to ${needed} connections, and the ${bound} is ${available}.`,
    "Under load requests are answered 503, and your own connections may be refused.",
    `Raise it to ${needed + 10} or more, or run fewer processes. (--processes says how many run.)`
  )
})

const migrations = Effect.gen(function*() {
  const { applied, migrated } = ServerRepository.make(yield* SharedConnections)
  const files = new Map((yield* readMigrations(migrationFolder)).map(({ name, sha256 }) => [name, sha256]))
  const rows = new Map((yield* migrated).found ? (yield* applied).map(({ name, sha256 }) => [name, sha256]) : [])
  const changed = [...rows].filter(([name, sha256]) => files.has(name) && files.get(name) !== sha256)
    .map(([name]) => name)
  const unknown = [...rows.keys()].filter((name) => !files.has(name))
  return [
    ...errorIf(
      changed.length > 0,
      `Applied migrations are not the files of this release: ${changed.join(", ")}.`,
      "The schema was made by other statements than this release was tested with, and migrate refuses to run.",
      "Find out which release applied them (select name, applied_at from schema_migrations), and deploy that or a later one."
    ),
    ...warningIf(
      unknown.length > 0,
      `The database has migrations that this release does not know: ${unknown.join(", ")}.`,
      "A newer release has run here. This one starts, but does not compare the schema.",
      "After a rollback this is fine for a while. Otherwise deploy the newer release."
    )
  ]
})

const guard = Effect.gen(function*() {
  const { production } = yield* Settings
  const sql = yield* SharedConnections
  const problems = yield* DatabaseGuard.problems(sql, production)
  const traces = yield* DatabaseGuard.traces(sql)
  const remedy = `Do what each sentence says; for migrations, see docs/operator.md, "Rollout". If a policy, trigger, ` +
    "function or right differs, a restore or a person changed it: run its statement of migrations/*.sql again as the owner."
  const misuse = "PostgreSQL lets every role set what its sessions begin with, and fill the disk with large objects. " +
    "Somebody who knows the role's password may have done it."
  return [
    ...refusals(
      problems,
      remedy,
      "The database would not hold against a hostile runtime role: the service does not start."
    ),
    ...warningIf(
      traces.length > 0,
      traces.join("\n  "),
      misuse,
      "Do what each sentence says, and find out who did it."
    )
  ]
})

/** A clock difference of this many seconds is a finding. Network delays and clock adjustments cause smaller ones. */
const drift = { warning: 5, error: 60 }

const clock = Effect.gen(function*() {
  const { clock } = ServerRepository.make(yield* SharedConnections)
  yield* clock
  const before = yield* Clock.currentTimeMillis
  const { now } = yield* clock
  const after = yield* Clock.currentTimeMillis
  // The database read its clock at some moment between `before` and `after`.
  const away = Math.max(0, before - now.getTime(), now.getTime() - after) / 1000
  const findingIf = away >= drift.error ? errorIf : warningIf
  return findingIf(
    away >= drift.warning,
    `The clocks of this machine and of the database differ by ${Math.round(away)} seconds.`,
    "Tokens end by one clock, and links, codes and sessions by the other: some end early, some late. Logs cannot be compared.",
    "Let both follow NTP (timedatectl set-ntp true), and look which one is wrong (chronyc tracking)."
  )
})

const records = Effect.gen(function*() {
  const { storageLimits } = yield* Settings
  const sql = yield* SharedConnections
  if (!(yield* RecordSizeRepository.counted(sql)).found) return []
  const { active, near } = yield* RecordSizeRepository.fullest(sql, 0.8 * storageLimits.record)
  return warningIf(
    near > 0,
    `The active items of ${near} ${near === 1 ? "record" : "records"} take more than 80 % of RECORD_LIMIT_MB, ` +
      `in the fullest ${Math.round(100 * active / storageLimits.record)} %.`,
    "A sync that would take a record beyond it is answered 409, and its veteran's record ages.",
    "Raise RECORD_LIMIT_MB if the disk has room. (select * from health_record_sizes order by active_bytes desc limit 10)"
  )
})

const outbox = Effect.gen(function*() {
  const { late, waiting } = yield* ServerRepository.make(yield* SharedConnections).outbox
  return warningIf(
    late > 0,
    `${late} of ${waiting} notices in the outbox wait for more than an hour.`,
    "Veterans do not learn that their links were opened or locked. After a day a notice is given up.",
    `Look whether the mail server takes mail (npm run doctor -- --send-test-mail you@example.org) and at the log's "mail not sent".`
  )
})

export const databaseChecks = (processes: number): ReadonlyArray<ReturnType<typeof databaseCheck>> => [
  databaseCheck("server", server),
  databaseCheck("sessions", sessions),
  databaseCheck("connections", connections(processes)),
  databaseCheck("migrations", migrations),
  databaseCheck("roles and policies", guard),
  databaseCheck("clock", clock),
  databaseCheck("records", records),
  databaseCheck("outbox", outbox)
]

const databaseCheck = (
  name: string,
  run: Effect.Effect<ReadonlyArray<Finding>, unknown, Settings | SessionConnections | SharedConnections>
) => check(name, needs, run)
