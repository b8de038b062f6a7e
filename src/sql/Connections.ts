import { Cause, Context, Data, Effect, type Exit, type Fiber } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { codesOf } from "./ErrorCodes.ts"
import { countError } from "./ErrorCounts.ts"

/**
 * Single statements on tables without row-level security run here, each its own transaction, several at a time on one
 * connection. The seven protected tables show and take no row here: see `Actor.ts`.
 */
export class SharedConnections
  extends Context.Service<SharedConnections, SqlClient.SqlClient>()("vrss/SharedConnections")
{}

/**
 * Single statements that may wait for a row's lock run here: each has a connection to itself, and keeps no other waiting.
 */
export class OwnConnections extends Context.Service<OwnConnections, SqlClient.SqlClient>()("vrss/OwnConnections") {}

/** Syncs, which may take minutes, have connections of their own, as many as run at once. */
export class SyncConnections extends Context.Service<SyncConnections, SqlClient.SqlClient>()("vrss/SyncConnections") {}

/** A statement dies of this when its database is out of reach or out of means: the HTTP edge answers 503. */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly cause: unknown }> {}

/** A request waits so long for the database in all, in milliseconds: it is answered within ten seconds. */
export const maxAnswerMs = 8_000

/** What is left of that for the request that runs; a fiber that serves none has none. */
export const DatabaseTime = Context.Reference<{ left: number } | undefined>("vrss/DatabaseTime", {
  defaultValue: () => undefined
})

const listeners = new Set<() => void>()

/** Runs `listener` whenever the database gave no answer in time, until the scope closes. */
export const hearUnanswered = (listener: () => void) =>
  Effect.acquireRelease(Effect.sync(() => listeners.add(listener)), () => Effect.sync(() => listeners.delete(listener)))

export const tellUnanswered = () => {
  for (const listener of listeners) listener()
}

/**
 * At the edge of every repository what the database does wrong becomes a defect, never an error of the domain. So does an
 * answer that takes longer than `milliseconds`, or than what the request has left: a server that takes connections and says
 * nothing holds no request for ever.
 */
export const atEdge = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  milliseconds?: number
): Effect.Effect<A, Exclude<E, EdgeError>, R> => withDefects(within(effect, milliseconds))

export const withDefects = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, EdgeError>, R> =>
  Effect.catchCause(effect, (cause) => {
    const error = Cause.squash(cause)
    // Where a rollback fails, what the transaction failed of comes first, and both are defects.
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

/** The effect has a fiber of its own: the request's may be uninterruptible, and would wait for the statement to end. */
const within = <A, E, R>(effect: Effect.Effect<A, E, R>, milliseconds?: number) =>
  Effect.flatMap(
    Effect.forkDetach(effect, { startImmediately: true }),
    (fiber) =>
      awaitAnswer<A, E>((answer) => {
        fiber.addObserver(answer)
        return () => fiber.interruptUnsafe()
      }, milliseconds)
  )

/**
 * Waits for what `ask` began, at most so long, or as long as the request has time left; then it is given up, as `ask` answers
 * how to.
 */
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
        // What is asked at once, or within another effect, is waited for at once.
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
 * The connection is lost, the login refused, resources are spent, an operator intervened, the system failed (SQLSTATE classes
 * 08, 28, 53, 57, 58), there is no such database (3D000), it takes no writes as a standby does (25006), it ended a transaction
 * that was idle or took too long (25P03, 25P04), or a retry may help.
 */
export const isUnavailable = (error: SqlError.SqlError) =>
  error.isRetryable || /^(08|28|53|57|58|25006|25P03|25P04|3D000)/.test(codesOf(error).sqlState ?? "")
