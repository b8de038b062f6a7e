import { Data, Effect, Schedule, Stream } from "effect"
import { atEdge, SessionConnections, SharedConnections, tellUnanswered } from "../Connections.ts"

/** The listening connection received nothing, not even this process's own notifications. */
export class NothingHeard extends Data.TaggedError("NothingHeard") {
  override readonly message =
    "nothing is heard from the database (LISTEN): the connection is lost, or a pooler is in transaction mode"
}

const channel = "transfers_ended"

/** Milliseconds of silence after which the connection counts as lost. A view outlives its link at most this long. */
const silence = 4_000

/**
 * Streams the ids of links and transfers that end in any process after this starts (LISTEN). The stream fails when its
 * connection is lost, even if the connection only falls silent and is never closed.
 */
export const hearEndedTransfers = Effect.gen(function*() {
  const sql = yield* SessionConnections
  const others = yield* SharedConnections
  const notifications = yield* sql.listen(channel)
  // Closing the listener sends UNLISTEN and waits for an answer, which a dead server never gives. `tellUnanswered` ends
  // this wait, because it makes DatabaseSockets.ts close silent sockets.
  yield* Effect.addFinalizer(() => Effect.sync(tellUnanswered))
  // A listening connection sends nothing. Without these empty notifications, it would not notice a dead server.
  const notify = others`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, '')`
  yield* atEdge(notify, silence / 2).pipe(
    Effect.exit,
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.forkScoped
  )
  return Stream.fromQueue(notifications).pipe(
    Stream.timeoutOrElse({
      duration: silence,
      orElse: () => Stream.fromEffect(Effect.andThen(Effect.sync(tellUnanswered), Effect.fail(new NothingHeard())))
    }),
    Stream.map(({ payload }) => payload),
    Stream.filter((id) => id !== "")
  )
})
