import { Deferred, Effect, Schedule, Stream } from "effect"
import { NotFound } from "../../domain/Errors.ts"
import { DatabaseTime } from "../../sql/Connections.ts"

/** Files that are sent sooner need no look. A crowd of slow readers costs the database one look each in this time. */
const betweenLooks = "3 seconds"

/**
 * Breaks the content off when `still` is no longer true, or cannot be known. A client that reads slowly could otherwise
 * read to the end what was shared with it an hour ago.
 */
export const untilEnded = <E>(
  content: Stream.Stream<Uint8Array, E>,
  still: Effect.Effect<boolean>
): Stream.Stream<Uint8Array, E | NotFound> =>
  Stream.unwrap(Effect.gen(function*() {
    const ended = yield* Deferred.make<never, NotFound>()
    yield* still.pipe(
      Effect.provideService(DatabaseTime, undefined),
      Effect.catchCause(() => Effect.succeed(false)),
      Effect.repeat({ while: (may) => may, schedule: Schedule.spaced(betweenLooks) }),
      Effect.delay(betweenLooks),
      Effect.andThen(Deferred.fail(ended, new NotFound())),
      Effect.forkScoped
    )
    return Stream.interruptWhen(content, Deferred.await(ended))
  }))
