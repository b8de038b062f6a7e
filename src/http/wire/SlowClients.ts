import { Context, Effect, Layer } from "effect"
import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"

/** How long is waited for clients, in milliseconds. */
export interface Patience {
  /** An answer whose client takes nothing for so long is ended. */
  readonly answer: number
  /** So long a body may stand still. */
  readonly pause: number
  /** So long a body may be slower than `bytesPerSecond`. */
  readonly grace: number
  readonly bytesPerSecond: number
  /** A body of at most 64 KiB may be slow, and is given up only when it is not whole by then. */
  readonly smallBody: number
}

/** Tests replace it by less. */
export const Patience = Context.Reference<Patience>("vrss/http/Patience", {
  defaultValue: () => ({
    answer: 30_000,
    pause: 15_000,
    grace: 15_000,
    bytesPerSecond: 64 * 1024,
    smallBody: 60_000
  })
})

const small = 64 * 1024

/** Looks at every socket that is waited for, and ends the waiting for clients that make others' memory wait with them. */
export class SlowClients extends Context.Service<SlowClients, {
  /** Resets each connection whose client takes nothing of what was written. */
  readonly watchAnswers: (server: Server) => void
  /**
   * Calls `giveUp` when a body of at most `most` bytes comes too slowly, counted from now: a request that waited here for
   * its turn is not blamed for it. Answers how to stop looking.
   */
  readonly watchBody: (request: IncomingMessage, most: number, giveUp: () => void) => () => void
}>()("vrss/http/SlowClients") {
  static readonly layer = Layer.effect(
    SlowClients,
    Effect.gen(function*() {
      const patience = yield* Patience
      const watched = new Set<(elapsed: number) => void>()
      const every = Math.min(1000, ...Object.values(patience).map((bound) => bound / 5))
      let last = performance.now()
      const tick = () => {
        const now = performance.now()
        // While this process itself stood still, nothing could be seen of what clients did.
        const elapsed = Math.min(now - last, 2 * every)
        last = now
        for (const look of watched) look(elapsed)
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => setInterval(tick, every)),
        (timer) => Effect.sync(() => clearInterval(timer))
      )
      const watch = (look: (elapsed: number) => void) => {
        watched.add(look)
        return () => void watched.delete(look)
      }

      return SlowClients.of({
        watchAnswers: (server) =>
          void server.on("connection", (socket) => {
            let taken = 0
            let waited = 0
            const unwatch = watch((elapsed) => {
              // Nothing waits, or it is written by us more slowly than taken.
              if (socket.writableLength === 0) {
                waited = 0
                return
              }
              const now = takenFrom(socket)
              waited = now === taken ? waited + elapsed : 0
              taken = now
              // A reset takes along what the kernel still holds for this client.
              if (waited >= patience.answer) socket.resetAndDestroy()
            })
            socket.once("close", unwatch)
          }),
        watchBody: (request, most, giveUp) => {
          const { socket } = request
          const before = socket.bytesRead
          let received = before
          let waited = 0
          let total = 0
          return watch((elapsed) => {
            // What is here and not read yet waits for us, not for the client.
            if (request.readableLength > 0 || request.complete) return
            const now = socket.bytesRead
            waited = now === received ? waited + elapsed : 0
            received = now
            total += elapsed
            const slow = most <= small
              ? total >= patience.smallBody
              : total >= patience.grace && received - before < patience.bytesPerSecond * total / 1000
            if (slow || waited >= patience.pause) giveUp()
          })
        }
      })
    })
  )
}

/** The bytes that the kernel took. A write counts as written at once, and only Node's handle tells what is left of it. */
const takenFrom = (socket: Socket) => {
  const { _handle: handle } = socket as Socket & {
    readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null
  }
  return handle == null ? socket.bytesWritten - socket.writableLength : handle.bytesWritten - handle.writeQueueSize
}
