import { Context, Deferred, Effect, Layer, Schedule, Stream } from "effect"
import { hearEndedTransfers } from "../sql/Notifications.ts"
import { LinkDisabled } from "./SecureLinks.ts"

/**
 * The documents that this process is sending. Whatever ends a link, or goes on with a transfer elsewhere, cuts the stream
 * here: PostgreSQL tells every process (LISTEN). One that cannot hear cuts all it sends.
 */
export class Transfers extends Context.Service<Transfers, {
  /** `content` until one of `ids`, a link's or a transfer's, is told to end. */
  readonly cutBy: <E, R>(
    ids: ReadonlyArray<string>,
    content: Stream.Stream<Uint8Array, E, R>
  ) => Stream.Stream<Uint8Array, E | LinkDisabled, R>
}>()("vrss/Transfers") {
  static readonly layer = Layer.effect(
    Transfers,
    Effect.gen(function*() {
      const running = new Map<Deferred.Deferred<never, LinkDisabled>, ReadonlyArray<string>>()
      const cut = (concerned: (ids: ReadonlyArray<string>) => boolean) =>
        Effect.forEach(
          [...running],
          ([ended, ids]) => concerned(ids) ? Deferred.fail(ended, new LinkDisabled()) : Effect.void,
          { discard: true }
        )

      yield* Effect.gen(function*() {
        const ended = yield* hearEndedTransfers
        // What began while this process could not hear may have ended.
        yield* cut(() => true)
        yield* Stream.runForEach(ended, (id) => cut((ids) => ids.includes(id)))
      }).pipe(
        Effect.scoped,
        Effect.catchCause(() => Effect.logWarning("transfers: the database is out of reach")),
        Effect.andThen(cut(() => true)),
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.forkScoped
      )

      return Transfers.of({
        cutBy: (ids, content) =>
          Stream.unwrap(Effect.gen(function*() {
            const ended = yield* Deferred.make<never, LinkDisabled>()
            yield* Effect.acquireRelease(
              Effect.sync(() => running.set(ended, ids)),
              () => Effect.sync(() => running.delete(ended))
            )
            return Stream.interruptWhen(content, Deferred.await(ended))
          }))
      })
    })
  )
}
