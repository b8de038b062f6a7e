import { Context, Deferred, Effect, Fiber, FiberSet, Layer, Schedule, Stream } from "effect"
import type { LinkId } from "../../domain/Id.ts"
import { LinkDisabled } from "../../domain/SecureLink.ts"
import { hearEndedTransfers } from "../../sql/link/EndedTransfers.ts"
import { logTrouble } from "../platform/Outage.ts"

/** The client who takes a view's answer, and the connection that it comes on. */
export interface Receiver {
  /** So many bytes of the answer still wait in this process. */
  readonly unsent: () => number
  /** Ends the connection; where the link has ended, it drops what is still on its way. */
  readonly abort: (linkEnded: boolean) => void
  /**
   * Waits for the end of the transfer. True: it was delivered, and then the client closed the connection in order or used
   * it again. False: the connection broke.
   */
  readonly farewell: (isDelivered: () => boolean) => Effect.Effect<boolean>
}

export interface Transfer {
  readonly linkId: LinkId
  readonly transferId: string
  readonly receiver: Receiver
  /** True once the last byte has left this process. From then on nothing is cut: the connection is the client's again. */
  readonly isDelivered: () => boolean
}

/**
 * Knows the documents that this process is sending. Whatever ends a link, or goes on with a transfer elsewhere, cuts
 * the stream here, because PostgreSQL tells every process (LISTEN). A process that cannot hear cuts all that it sends.
 */
export class RunningTransfers extends Context.Service<RunningTransfers, {
  /**
   * Answers `content`, which goes on until its link or its transfer is told to end; then the connection ends at once, even
   * one whose client reads nothing. `note` notes the end of the transfer, whenever it comes: it is over, or it broke.
   */
  readonly begin: <E, R>(
    transfer: Transfer,
    content: Stream.Stream<Uint8Array, E, R>,
    note: (isOver: boolean) => Effect.Effect<void>
  ) => Effect.Effect<Stream.Stream<Uint8Array, E | LinkDisabled, R>>
  /** Waits until all ends that came are noted. */
  readonly noted: Effect.Effect<void>
}>()("vrss/RunningTransfers") {
  static readonly layer = Layer.effect(
    RunningTransfers,
    Effect.gen(function*() {
      const running = new Map<Transfer, Deferred.Deferred<never, LinkDisabled>>()
      const notes = yield* FiberSet.make()
      const scope = yield* Effect.scope
      /** Ends what has this id, which is of a link or of a transfer; without an id it ends all. */
      const end = (id?: string) =>
        Effect.sync(() => {
          for (const [transfer, ended] of running) {
            const { isDelivered, linkId, receiver, transferId } = transfer
            if ((id !== undefined && id !== linkId && id !== transferId) || isDelivered()) continue
            Deferred.doneUnsafe(ended, Effect.fail(new LinkDisabled()))
            receiver.abort(id === linkId)
          }
        })

      yield* Effect.gen(function*() {
        const told = yield* hearEndedTransfers
        // What began while this process could not hear may have ended.
        yield* end()
        // All end before the connection is given back, which may take long when it is silent.
        yield* Effect.ensuring(Stream.runForEach(told, end), end())
      }).pipe(
        Effect.scoped,
        Effect.catchTag("NothingHeard", ({ message }) => Effect.logWarning(`transfers: ${message}`)),
        Effect.catchCause(logTrouble("transfers")),
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.forkScoped
      )

      return RunningTransfers.of({
        begin: Effect.fnUntraced(function*(transfer, content, note) {
          const ended = yield* Deferred.make<never, LinkDisabled>()
          running.set(transfer, ended)
          yield* transfer.receiver.farewell(transfer.isDelivered).pipe(
            Effect.flatMap((isOver) => {
              running.delete(transfer)
              return FiberSet.run(notes, note(isOver))
            }),
            Effect.forkIn(scope)
          )
          return Stream.interruptWhen(content, Deferred.await(ended))
        }),
        noted: Effect.suspend(() => Fiber.awaitAll([...notes])).pipe(Effect.asVoid)
      })
    })
  )
}
