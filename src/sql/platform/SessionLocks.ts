import { Effect, RcRef, type Scope } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import { atEdge } from "../Connections.ts"

/**
 * Locks that hold over all processes, and that a process which dies lets go: advisory locks of one session, which other
 * statements share. Nobody waits in the database.
 */
export const make = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const session = yield* RcRef.make({ acquire: sql.reserve })
  /** A session is given a lock again that it has. */
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
        // What had no answer in time may be done yet.
        Effect.onError(() => unlock(connection, name))
      )
    })

  /** A session that is lost has no locks any more. */
  const unlock = (connection: SqlConnection.Connection, name: string) =>
    Effect.exit(ask(connection, "pg_advisory_unlock", name)).pipe(
      Effect.andThen(Effect.sync(() => held.delete(name)))
    )

  return {
    open: Effect.map(atEdge(RcRef.get(session)), (connection) => ({
      /** Takes the lock of that name until the scope closes, and tells whether it was free. */
      tryLock: (name: string): Effect.Effect<boolean, never, Scope.Scope> =>
        Effect.acquireRelease(lock(connection, name), (taken) => taken ? unlock(connection, name) : Effect.void)
    }))
  }
})
