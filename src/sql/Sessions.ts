import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Each session has limits, in milliseconds: a request that hangs gives its locks back, and so does a process that was killed. */
export const sessionLimits = {
  client_connection_check_interval: 2_000,
  idle_in_transaction_session_timeout: 15_000,
  statement_timeout: 30_000,
  lock_timeout: 10_000
}

/** Names the runtime role's connection in what the start and the doctor say. */
export const runtimeVariable = "DATABASE_APP_URL (or DATABASE_URL)"

const runbook = "see 'Scaling out' in docs/operator.md"

/** `name` is the variable that says where to connect. */
export const poolerRefused = (name: string) =>
  `${name} leads to a pooler that gives sessions for a transaction only, which loses locks and LISTEN: use session mode, or no pooler; ${runbook}`

/** PgBouncer refuses a client whose settings it does not know. */
export const settingsRefused = (name: string) =>
  `${name} leads to a pooler that refuses the limits of a session: in PgBouncer, set ignore_startup_parameters = ${
    Object.keys(sessionLimits).join(", ")
  }, and the limits for the role; ${runbook}`

/**
 * Two connections that are open at once have two processes of the server, each the same one for ever. A pooler that gives
 * a session for a transaction only gives the idle one that was used last to whoever asks, or each idle one in turn: asked
 * twice in a row, and one after the other, they tell.
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

/** Tells why the sessions of a connection are not as the service needs them, a sentence for each reason. */
export const sessionProblems = (sql: SqlClient.SqlClient, name: string) =>
  Effect.scoped(Effect.gen(function*() {
    if (yield* isShared(yield* processOf(sql), yield* processOf(sql))) return [poolerRefused(name)]
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
  }))

/** A connection of its own, which tells the server's process when it is asked. */
const processOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql.reserve,
    (connection): Effect.Effect<unknown, SqlError.SqlError> =>
      Effect.map(connection.executeValuesUnprepared("select pg_backend_pid()", []), ([row]) => row![0])
  )
