import { Context, Effect, Layer, RcRef, type Scope } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import { atEdge, SessionConnections } from "../Connections.ts"

interface Locks {
  /** Takes the named lock until the scope closes. Returns false if this or another process already holds it. */
  readonly tryLock: (name: string) => Effect.Effect<boolean, never, Scope.Scope>
}

/** The session locks of this process. All of its tasks share one session. */
export class SessionLocks extends Context.Service<SessionLocks, {
  readonly open: Effect.Effect<Locks, never, Scope.Scope>
}>()("vrss/sql/platform/SessionLocks") {
  static readonly layer = Layer.effect(SessionLocks, Effect.flatMap(SessionConnections, (sql) => make(sql)))
}

/** Advisory locks of one session, so that a process that dies releases them. No call waits for a lock. */
export const make = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const session = yield* RcRef.make({ acquire: sql.reserve })
  /** PostgreSQL grants a session a lock that it already holds, so this process keeps its own list. */
  const held = new Set<string>()

  const ask = (connection: SqlConnection.Connection, question: string, name: string) =>
    atEdge(connection.executeValues(`select ${question}(hashtextextended($1, 0))`, [name])).pipe(
      Effect.onError(() => RcRef.invalidate(session)),
      Effect.map(([row]) => row![0] === true)
    )

  const lock = (connection: SqlConnection.Connection, name: string) =>
    Effect.suspend(() => {
      if (held.has(name)) return Effect.succeed(false)
      held.add(name)
      return ask(connection, "pg_try_advisory_lock", name).pipe(
        Effect.tap((taken) => taken ? Effect.void : Effect.sync(() => held.delete(name))),
        // The server may have taken the lock although its answer did not arrive.
        Effect.onError(() => unlock(connection, name))
      )
    })

  /**
   * Ignores errors: they mean that the connection broke or the server did not answer. `ask` then gives up the session,
   * and PostgreSQL releases a session's locks when the session ends.
   */
  const unlock = (connection: SqlConnection.Connection, name: string) =>
    Effect.exit(ask(connection, "pg_advisory_unlock", name)).pipe(
      Effect.andThen(Effect.sync(() => held.delete(name)))
    )

  return {
    open: Effect.map(atEdge(RcRef.get(session)), (connection): Locks => ({
      tryLock: (name) =>
        Effect.acquireRelease(lock(connection, name), (taken) => taken ? unlock(connection, name) : Effect.void)
    }))
  }
})
