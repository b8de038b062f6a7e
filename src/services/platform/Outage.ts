import { Cause, Context, Effect } from "effect"
import { DatabaseTime, DatabaseUnavailable, isSqlError, isUnavailable, maxAnswerMs } from "../../sql/Connections.ts"
import { codesOf } from "../../sql/ErrorCodes.ts"

/** Returns true if the database is out of reach, which may be temporary. */
export const isOutage = (cause: Cause.Cause<unknown>) => Cause.squash(cause) instanceof DatabaseUnavailable

/** PostgreSQL's codes (its appendix A) in words for the operator. */
const states: Record<string, string> = {
  "25006": "the database is read-only, as a standby is",
  "25P03": "the database ended a transaction that was idle for too long",
  "25P04": "the database ended a transaction that took too long",
  "28000": "the database refuses the login",
  "28P01": "the database refuses the login",
  "3D000": "the database does not exist",
  "40001": "the database's transactions got into each other's way",
  "40P01": "the database's transactions got into each other's way",
  "53100": "the database's disk is full",
  "53200": "the database is out of memory",
  "53300": "the database has too many connections",
  "53400": "the database has reached a limit of its configuration",
  "55P03": "another transaction held a lock in the database for too long",
  "57014": "the database gave a statement up that took too long",
  "57P01": "the database is being shut down, or an administrator ended the connection",
  "57P02": "the database crashed and is recovering",
  "57P03": "the database is starting, stopping or recovering",
  "57P05": "the database ended a connection that was idle for too long",
  "58030": "the database cannot read or write its disk"
}

export interface Outage {
  readonly message: string
  readonly sqlState?: string
}

/** Says in plain words what is wrong with the database, without quoting its message. */
export const outageOf = (error: unknown): Outage => {
  const { errno, sqlState } = codesOf(error)
  if (sqlState === undefined) {
    const within = error instanceof DatabaseUnavailable ? error.cause : error
    if (errno !== undefined) return { message: `the database is out of reach (${errno})` }
    return { message: typeof within === "string" ? `the database gave ${within}` : "the database is out of reach" }
  }
  const message = states[sqlState] ??
    (sqlState.startsWith("08") ? "the connection to the database is broken" : "the database refuses its work")
  return { message, sqlState }
}

/** Logs trouble with the database: an outage as a warning, anything else as an error. */
export const logTrouble = (what: string) => (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (!isOutage(cause) && !(isSqlError(error) && isUnavailable(error))) return Effect.logError(`${what}: failed`, cause)
  const { message, sqlState } = outageOf(error)
  return Effect.annotateLogs(Effect.logWarning(`${what}: ${message}`), sqlState === undefined ? {} : { sqlState })
}

/** Limits the time that a request may wait for the database. All its statements share this time. */
export const withDatabaseTime = <R>(context: Context.Context<R>) =>
  Context.add(context, DatabaseTime, { left: maxAnswerMs })
