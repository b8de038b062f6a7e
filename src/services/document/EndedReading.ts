import { Deferred, Effect, Schedule, Stream } from "effect"
import { NotFound } from "../../domain/Errors.ts"
import { DatabaseTime } from "../../sql/Connections.ts"

/** Files that are sent sooner need no look. A crowd of slow readers costs the database one look each in this time. */
const betweenLooks = "3 seconds"

/** What cannot be known counts as ended. A look takes nothing of a request's time for the database. */
export const falseIfUnknown = (still: Effect.Effect<boolean>) =>
  still.pipe(Effect.provideService(DatabaseTime, undefined), Effect.catchCause(() => Effect.succeed(false)))

/** Waits until `still` is no longer true, or cannot be known. */
export const awaitEnd = (still: Effect.Effect<boolean>, betweenLooks: `${number} ${"second" | "seconds"}`) =>
  Effect.repeat(falseIfUnknown(still), { while: (may) => may, schedule: Schedule.spaced(betweenLooks) })

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
    yield* awaitEnd(still, betweenLooks).pipe(
      Effect.delay(betweenLooks),
      Effect.andThen(Deferred.fail(ended, new NotFound())),
      Effect.forkScoped
    )
    return Stream.interruptWhen(content, Deferred.await(ended))
  }))
