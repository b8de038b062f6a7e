import * as PgClient from "@effect/sql-pg/PgClient"
import { Data, Effect, Schedule, Stream } from "effect"
import { atEdge, maxAnswerMs, SharedConnections, tellUnanswered } from "../Connections.ts"

/** The connection that listens has heard nothing, not even what this process itself told. */
export class NothingHeard extends Data.TaggedError("NothingHeard") {
  override readonly message =
    "nothing is heard from the database (LISTEN): the connection is lost, or a pooler is in transaction mode"
}

const channel = "transfers_ended"

/**
 * Hears of links and transfers that end, on whichever process, by their ids (LISTEN). The stream fails when the connection
 * is lost, also one that is silent without being closed, and has nothing of what was told before it began.
 */
export const hearEndedTransfers = Effect.gen(function*() {
  const sql = yield* PgClient.PgClient
  const others = yield* SharedConnections
  const told = yield* sql.listen(channel)
  // Its end is said to the database, and waits for an answer that may never come.
  yield* Effect.addFinalizer(() => Effect.sync(tellUnanswered))
  // Who listens never speaks, and would not notice that nobody is there any more. Each process hears this of each.
  const tell = others`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, '')`
  yield* atEdge(tell, maxAnswerMs / 2).pipe(
    Effect.exit,
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.forkScoped
  )
  return Stream.fromQueue(told).pipe(
    Stream.timeoutOrElse({
      duration: maxAnswerMs,
      orElse: () => Stream.fromEffect(Effect.andThen(Effect.sync(tellUnanswered), Effect.fail(new NothingHeard())))
    }),
    Stream.map(({ payload }) => payload),
    Stream.filter((id) => id !== "")
  )
})
