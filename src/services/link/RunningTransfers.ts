import { Context, Deferred, Effect, Layer, Schedule, Stream } from "effect"
import type { LinkId } from "../../domain/Id.ts"
import { LinkDisabled } from "../../domain/SecureLink.ts"
import { hearEndedTransfers } from "../../sql/link/EndedTransfers.ts"

/**
 * Knows the documents that this process is sending. Whatever ends a link, or goes on with a transfer elsewhere, cuts
 * the stream here, because PostgreSQL tells every process (LISTEN). A process that cannot hear cuts all that it sends.
 */
export class RunningTransfers extends Context.Service<RunningTransfers, {
  /**
   * Passes `content` on until its link or its transfer is told to end; then the connection ends at once, even one whose
   * client reads nothing.
   */
  readonly cut: <E, R>(
    transfer: Transfer,
    content: Stream.Stream<Uint8Array, E, R>
  ) => Stream.Stream<Uint8Array, E | LinkDisabled, R>
}>()("vrss/RunningTransfers") {
  static readonly layer = Layer.effect(
    RunningTransfers,
    Effect.gen(function*() {
      const running = new Set<Transfer & { readonly ended: Deferred.Deferred<never, LinkDisabled> }>()
      /** Ends what has this id, which is of a link or of a transfer; without an id it ends all. */
      const end = (id?: string) =>
        Effect.sync(() => {
          for (const transfer of running) {
            if (id !== undefined && id !== transfer.linkId && id !== transfer.transferId) continue
            Deferred.doneUnsafe(transfer.ended, Effect.fail(new LinkDisabled()))
            transfer.abort(id === transfer.linkId)
          }
        })

      yield* Effect.gen(function*() {
        const told = yield* hearEndedTransfers
        // What began while this process could not hear may have ended.
        yield* end()
        yield* Stream.runForEach(told, end)
      }).pipe(
        Effect.scoped,
        Effect.catchCause(() => Effect.logWarning("transfers: the database is out of reach")),
        Effect.andThen(end()),
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.forkScoped
      )

      return RunningTransfers.of({
        cut: (transfer, content) =>
          Stream.unwrap(Effect.gen(function*() {
            const entry = { ...transfer, ended: yield* Deferred.make<never, LinkDisabled>() }
            yield* Effect.acquireRelease(
              Effect.sync(() => running.add(entry)),
              () => Effect.sync(() => running.delete(entry))
            )
            return Stream.interruptWhen(content, Deferred.await(entry.ended))
          }))
      })
    })
  )
}

export interface Transfer {
  readonly linkId: LinkId
  readonly transferId: string
  /** Ends the client's connection; where the link has ended, it drops what is still on its way. */
  readonly abort: (linkEnded: boolean) => void
}
