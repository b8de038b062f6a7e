import { Context, Effect, Layer, RcRef, type Scope } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import { atEdge, SessionConnections } from "../Connections.ts"

interface Locks {
  /** Takes the named lock until the scope closes. Returns false if this or another process already holds it. */
  readonly tryLock: (name: string) => Effect.Effect<boolean, never, Scope.Scope>
  /**
   * Takes a shared lock until the session ends. Returns false if a session holds another name of this kind. It then
   * takes none, so that a process that is refused again and again is in nobody's way.
   */
  readonly agree: (kind: string, name: string) => Effect.Effect<boolean>
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

  const tell = (connection: SqlConnection.Connection, statement: string, values: ReadonlyArray<string>) =>
    atEdge(connection.executeValues(statement, values)).pipe(
      Effect.onError(() => RcRef.invalidate(session)),
      Effect.map(([row]) => row?.[0] === true)
    )

  const ask = (connection: SqlConnection.Connection, question: string, name: string) =>
    tell(connection, `select ${question}(hashtextextended($1, 0))`, [name])

  // Two sessions that begin at once may both see the other's lock. So at most one of two that differ goes on.
  const agree = Effect.fnUntraced(function*(connection: SqlConnection.Connection, kind: string, name: string) {
    yield* tell(connection, takeShared, [kind, name])
    if (yield* tell(connection, isAlone, [kind, name])) return true
    yield* tell(connection, giveShared, [kind, name])
    return false
  })

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

  const current = atEdge(RcRef.get(session))
  // A session may have been lost while nobody used it, for example because PostgreSQL was restarted.
  const living = current.pipe(
    Effect.tap((connection) => tell(connection, "select true", [])),
    Effect.catchCause(() => current)
  )

  return {
    open: Effect.map(living, (connection): Locks => ({
      tryLock: (name) =>
        Effect.acquireRelease(lock(connection, name), (taken) => taken ? unlock(connection, name) : Effect.void),
      agree: (kind, name) => agree(connection, kind, name)
    }))
  }
})

/** Locks of two numbers: the kind, and the name. PostgreSQL shows both as unsigned. */
const shared = `from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
  and database = (select oid from pg_database where datname = current_database())
  and classid::int8 = hashtext($1)::int8 & 4294967295`

const mine = `select ${shared} and objid::int8 = hashtext($2)::int8 & 4294967295 and pid = pg_backend_pid()`

const others = `select ${shared} and objid::int8 <> hashtext($2)::int8 & 4294967295`

const takeShared = `select pg_try_advisory_lock_shared(hashtext($1), hashtext($2))
  where not exists (${mine}) and not exists (${others})`

const isAlone = `select exists (${mine}) and not exists (${others})`

const giveShared = `select pg_advisory_unlock_shared(hashtext($1), hashtext($2)) where exists (${mine})`
