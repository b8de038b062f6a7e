import { Context, Deferred, Effect, Fiber, FiberSet, Latch, Layer, Stream } from "effect"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import type { LinkId } from "../../domain/Id.ts"
import { LinkDisabled } from "../../domain/SecureLink.ts"
import { hearEndedTransfers } from "../../sql/link/EndedTransfers.ts"
import { startJob } from "../platform/Jobs.ts"

/** The client that receives a view's answer, and its connection. */
export interface Receiver {
  /** Bytes of the answer that still wait in this process. */
  readonly unsent: () => number
  /** Ends the connection. If the link has ended, unsent bytes are dropped. */
  readonly abort: (linkEnded: boolean) => void
  /**
   * Waits for the end of the answer. Returns true if all bytes are delivered when the client ends the connection or
   * sends its next request on it. Returns false if the connection closes earlier.
   */
  readonly farewell: (isDelivered: () => boolean) => Effect.Effect<boolean>
}

export interface Transfer {
  readonly linkId: LinkId
  readonly transferId: string
  readonly receiver: Receiver
  /** True once the last byte left this process. Nothing is cut then, because the client may reuse the connection. */
  readonly isDelivered: () => boolean
}

/**
 * The documents that this process is sending. PostgreSQL notifies every process (LISTEN) when a link ends or a transfer
 * is resumed elsewhere, and the process then cuts the stream. A process that cannot be notified cuts all its streams.
 */
export class RunningTransfers extends Context.Service<RunningTransfers, {
  /** Fails while this process cannot be notified. It first waits a moment, because LISTEN may just begin anew. */
  readonly heard: Effect.Effect<void, ServiceUnavailable>
  /** Cuts `content` when its link or transfer must end, even if the client reads nothing. `note` records the end. */
  readonly begin: <E, R>(
    transfer: Transfer,
    content: Stream.Stream<Uint8Array, E, R>,
    note: (isOver: boolean) => Effect.Effect<void>
  ) => Effect.Effect<Stream.Stream<Uint8Array, E | LinkDisabled, R>>
  /** Waits until the end of every ended transfer is recorded. */
  readonly noted: Effect.Effect<void>
}>()("vrss/services/link/RunningTransfers") {
  static readonly layer = Layer.effect(
    RunningTransfers,
    Effect.gen(function*() {
      const hearing = yield* Latch.make(false)
      const running = new Map<Transfer, Deferred.Deferred<never, LinkDisabled>>()
      const notes = yield* FiberSet.make()
      const scope = yield* Effect.scope
      /** Ends all transfers with this link id or transfer id. Without an id, it ends every transfer. */
      const end = (id?: string) =>
        Effect.sync(() => {
          for (const [transfer, ended] of running) {
            const { isDelivered, linkId, receiver, transferId } = transfer
            if ((id !== undefined && id !== linkId && id !== transferId) || isDelivered()) continue
            Deferred.doneUnsafe(ended, Effect.fail(new LinkDisabled()))
            receiver.abort(id === linkId)
          }
        })

      const hear = Effect.gen(function*() {
        const ends = yield* hearEndedTransfers
        // Links may have ended while this process could not listen.
        yield* end()
        yield* hearing.open
        // Transfers end before the database connection is closed: closing may take long if the database is silent.
        yield* Effect.ensuring(Stream.runForEach(ends, end), Effect.andThen(hearing.close, end()))
      }).pipe(
        Effect.scoped,
        Effect.catchTag("NothingHeard", ({ message }) => Effect.logWarning(`transfers: ${message}`))
      )
      yield* startJob({ name: "transfers", every: "1 second", run: hear })

      return RunningTransfers.of({
        heard: hearing.await.pipe(
          Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.fail(new ServiceUnavailable()) })
        ),
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
