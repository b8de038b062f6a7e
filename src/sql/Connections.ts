import type { PgClient } from "@effect/sql-pg/PgClient"
import { Cause, Context, Data, Effect, type Exit, type Fiber } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { codesOf } from "./ErrorCodes.ts"
import { countError } from "./ErrorCounts.ts"

/**
 * For single statements on tables without row-level security: each is a transaction, and several share a connection.
 * No row of the protected tables can be read or written here (`Actor.ts`).
 */
export class SharedConnections
  extends Context.Service<SharedConnections, SqlClient.SqlClient>()("vrss/sql/Connections/SharedConnections")
{}

/** For single statements that may wait for a row lock: each has a connection to itself and delays no other. */
export class OwnConnections
  extends Context.Service<OwnConnections, SqlClient.SqlClient>()("vrss/sql/Connections/OwnConnections")
{}

/** For syncs, which may take minutes: there is a connection for each sync that may run concurrently. */
export class SyncConnections
  extends Context.Service<SyncConnections, SqlClient.SqlClient>()("vrss/sql/Connections/SyncConnections")
{}

/** For what belongs to a session: LISTEN, and locks that outlive a transaction. They lead past any pooler. */
export class SessionConnections
  extends Context.Service<SessionConnections, PgClient>()("vrss/sql/Connections/SessionConnections")
{}

/** The database is unreachable or lacks resources. A statement fails with this defect; the HTTP edge answers 503. */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly cause: unknown }> {}

/** Milliseconds that a request may wait for the database in all, so that its answer comes within ten seconds. */
export const maxAnswerMs = 8_000

/** Milliseconds that the running request may still wait; undefined in a fiber that serves no request. */
export const DatabaseTime = Context.Reference<{ left: number } | undefined>("vrss/sql/Connections/DatabaseTime", {
  defaultValue: () => undefined
})

const listeners = new Set<() => void>()

/** Runs `listener` whenever the database has not answered in time, until the scope closes. */
export const hearUnanswered = (listener: () => void) =>
  Effect.acquireRelease(Effect.sync(() => listeners.add(listener)), () => Effect.sync(() => listeners.delete(listener)))

export const tellUnanswered = () => {
  for (const listener of listeners) listener()
}

/**
 * The edge of every repository: a database error becomes a defect, never an error of the domain. An answer becomes a
 * defect too if it takes longer than `milliseconds`, or than the request's remaining time. A silent server would
 * otherwise hold requests for ever.
 */
export const atEdge = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  milliseconds?: number
): Effect.Effect<A, Exclude<E, EdgeError>, R> => withDefects(within(effect, milliseconds))

export const withDefects = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, EdgeError>, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = Cause.squash(cause)
    // If the rollback fails too, the cause holds both failures as defects. The transaction's own failure is the first.
    const sqlError = isSqlError(error) ? error : cause.reasons.map(errorOf).find(isSqlError)
    if (sqlError !== undefined && (sqlError === error || isUnavailable(sqlError))) {
      countError(sqlError)
      return Effect.die(isUnavailable(sqlError) ? new DatabaseUnavailable({ cause: sqlError }) : sqlError)
    }
    const defect = isTagged(error, "SchemaError") || isTagged(error, "NoSuchElementError")
    return defect ? Effect.die(error) : Effect.failCause(cause as Cause.Cause<never>)
  })

const errorOf = (reason: Cause.Reason<unknown>) =>
  Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined

/** Runs the effect in its own fiber, so that even an uninterruptible request stops waiting at its time limit. */
const within = <A, E, R>(effect: Effect.Effect<A, E, R>, milliseconds?: number) =>
  Effect.flatMap(
    Effect.forkDetach(effect, { startImmediately: true }),
    (fiber) =>
      awaitAnswer<A, E>((answer) => {
        fiber.addObserver(answer)
        return () => fiber.interruptUnsafe()
      }, milliseconds)
  )

/** Waits at most `milliseconds`, or the request's remaining time. A timeout or interrupt calls what `ask` returned. */
export const awaitAnswer = <A, E = never>(
  ask: (answer: (exit: Exit.Exit<A, E>) => void, fiber: Fiber.Fiber<unknown, unknown>) => () => void,
  milliseconds?: number
): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => {
    const time = milliseconds === undefined ? fiber.getRef(DatabaseTime) : undefined
    const left = milliseconds ?? Math.max(0, time?.left ?? maxAnswerMs)
    return Effect.callback<A, E>((resume) => {
      const started = performance.now()
      const end = () => {
        clearTimeout(timer)
        // Overlapping waits each subtract their duration from the time left at their start: no moment counts twice.
        if (time !== undefined) time.left = Math.min(time.left, left - (performance.now() - started))
      }
      const expire = () => {
        end()
        countError()
        resume(Effect.die(new DatabaseUnavailable({ cause: `no answer within ${left} ms` })))
        giveUp()
        tellUnanswered()
      }
      const timer = setTimeout(expire, left)
      const giveUp = ask((exit) => {
        end()
        resume(exit)
      }, fiber)
      return Effect.sync(() => {
        end()
        giveUp()
      })
    })
  })

export type EdgeError = SqlError.SqlError | { readonly _tag: "SchemaError" | "NoSuchElementError" }

const isTagged = (error: unknown, tag: string) =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === tag

export const isSqlError = (error: unknown): error is SqlError.SqlError => isTagged(error, "SqlError")

/**
 * True for SQLSTATE classes 08 (connection), 28 (login), 53 (resources), 57 (operator intervention) and 58 (system).
 * Also true for 3D000 (no such database), 25006 (read-only), 25P03 and 25P04 (transaction ended for idleness or
 * length). Also true for errors that a retry may cure. One of them is 0A000: a migration gave a column to the table of
 * a prepared statement, which is prepared anew the next time.
 */
export const isUnavailable = (error: SqlError.SqlError) =>
  error.isRetryable || /^(08|28|53|57|58|0A000|25006|25P03|25P04|3D000)/.test(codesOf(error).sqlState ?? "")
