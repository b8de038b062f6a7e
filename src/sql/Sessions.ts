import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Limits of each session, in milliseconds: they release the locks of a hanging request or a killed process. */
export const sessionLimits = {
  client_connection_check_interval: 2_000,
  idle_in_transaction_session_timeout: 15_000,
  statement_timeout: 30_000,
  lock_timeout: 10_000
}

/** Names the runtime role's connection in messages of the start and of the doctor. */
export const runtimeVariable = "DATABASE_APP_URL (or DATABASE_URL)"

export const sessionVariable = "DATABASE_SESSION_URL"

const runbook = "see 'Scaling out' in docs/operator.md"

/** Returns a sentence if the connections lead to a standby. */
export const standbyProblems = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`, ([row]) =>
    row!.standby
      ? [
        `${runtimeVariable} leads to a standby, which takes no writes and may lag: let it lead to the primary, or ` +
        "promote this one if the primary is lost; see 'A standby that takes over' in docs/operator.md"
      ]
      : [])

/** `name` is the variable that holds the connection's URL. */
export const poolerRefused = (name: string) =>
  `${name} leads to a pooler in transaction mode, which loses locks and LISTEN: ${
    name === runtimeVariable
      ? `let ${sessionVariable} lead past it, or use session mode`
      : "use session mode, or no pooler"
  }; ${runbook}`

/** PgBouncer refuses a client that sends settings which it does not know. */
export const settingsRefused = (name: string) =>
  `${name} leads to a pooler that refuses the limits of a session: in PgBouncer, set ignore_startup_parameters = ${
    Object.keys(sessionLimits).join(", ")
  }, and the limits for the role; ${runbook}`

/**
 * Whether a pooler shares sessions between two open connections. Without a pooler, each connection keeps its own server
 * process. A pooler in transaction mode hands out either its most recently used idle session, or its sessions in turn.
 * Repeated and alternating queries reveal both kinds.
 */
export const isShared = Effect.fnUntraced(
  function*<E>(one: Effect.Effect<unknown, E>, other: Effect.Effect<unknown, E>) {
    const first = yield* one
    for (let turn = 0; turn < 3; turn++) {
      if ((yield* one) !== first) return true
      const second = yield* other
      if (second === first || (yield* other) !== second || (yield* one) !== first) return true
    }
    return false
  }
)

/** Returns a sentence for each need that the connections do not meet. `direct` leads past a pooler, if there is one. */
export const connectionProblems = Effect.fnUntraced(
  function*(sql: SqlClient.SqlClient, direct: SqlClient.SqlClient | undefined) {
    if (direct === undefined) return yield* sessionProblems(sql, runtimeVariable)
    for (const problems of [sessionProblems(direct, sessionVariable), limitProblems(sql), otherDatabase(sql, direct)]) {
      const found = yield* problems
      if (found.length > 0) return found
    }
    return []
  }
)

const sessionProblems = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, name: string) {
  // The pool may have no third connection beside these two.
  const shared = Effect.gen(function*() {
    return yield* isShared(yield* processOf(sql), yield* processOf(sql))
  })
  return (yield* Effect.scoped(shared)) ? [poolerRefused(name)] : yield* limitProblems(sql)
})

/** Returns a sentence if the limits of a session do not hold on these connections. */
const limitProblems = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const rows = yield* sql<{ name: string; setting: string; role: string }>`
    select name, setting, current_user as role from pg_settings
    where name in ${sql.in(Object.keys(sessionLimits))}`
  const missing = Object.entries(sessionLimits).filter(([limit, milliseconds]) => {
    const setting = Number(rows.find((row) => row.name === limit)?.setting ?? 0)
    return setting < 1 || setting > milliseconds
  })
  if (missing.length === 0) return []
  const statements = missing.map(([limit, ms]) => `alter role ${rows[0]!.role} set ${limit} = '${ms / 1000}s'`)
  return [
    `The limits of a session do not hold, because a pooler ignores them: run "${
      statements.join("; ")
    }" as an administrator and restart the pooler; ${runbook}.`
  ]
})

/** Returns a sentence if the sessions are of another database or role than the other connections. */
const otherDatabase = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, sessions: SqlClient.SqlClient) {
  const place = (of: SqlClient.SqlClient) =>
    of<{ place: string }>`
      select format('%s %s %s', (select id from file_store), current_database(), current_user) as place`
  const [[one], [other]] = yield* Effect.all([place(sql), place(sessions)], { concurrency: 2 })
  return one?.place === other?.place
    ? []
    : [`${sessionVariable} and ${runtimeVariable} lead to different databases or roles: ${runbook}.`]
})

/** Reserves a connection and returns an effect that asks for its server process. */
const processOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql.reserve,
    (connection): Effect.Effect<unknown, SqlError.SqlError> =>
      Effect.map(connection.executeValuesUnprepared("select pg_backend_pid()", []), ([row]) => row![0])
  )
