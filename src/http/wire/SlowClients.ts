import { Context, Effect, Layer } from "effect"
import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"

/** Limits for slow clients. Times are in milliseconds. */
export interface Patience {
  /** How long a client may read nothing of its answer, and the time over which the rate of a reader counts. */
  readonly answer: number
  /** How long a client may send no byte of a body. */
  readonly pause: number
  /** After this time, a body must have reached an average rate of `bytesPerSecond`. It is a reader's least rate too. */
  readonly grace: number
  readonly bytesPerSecond: number
  /** The longest time for a whole body of at most 64 KiB. The rate of such a body does not matter. */
  readonly smallBody: number
}

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

/** Watches sockets and ends the connections of slow clients, which keep memory that other clients need. */
export class SlowClients extends Context.Service<SlowClients, {
  /** Resets each connection whose client reads nothing of its answer for too long. */
  readonly watchAnswers: (server: Server) => void
  /**
   * Resets the connection of a client that reads its answer more slowly than a body may be sent. Only the time counts
   * in which the kernel's buffers are full. Returns a function that stops the watch.
   */
  readonly watchReader: (request: IncomingMessage) => () => void
  /**
   * Calls `giveUp` when a body of at most `maxBytes` arrives too slowly. Time counts from this call, not from
   * when the request began to wait for its turn. Returns a function that stops the watch.
   */
  readonly watchBody: (request: IncomingMessage, maxBytes: number, giveUp: () => void) => () => void
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
        // While this process was blocked, it could not see what clients did. So most of that time does not count.
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
              // No written bytes wait for the client, so its time starts again.
              if (socket.writableLength === 0) {
                waited = 0
                return
              }
              const now = takenFrom(socket)
              waited = now === taken ? waited + elapsed : 0
              taken = now
              // A reset also frees what the kernel holds for this client.
              if (waited >= patience.answer) socket.resetAndDestroy()
            })
            socket.once("close", unwatch)
          }),
        watchReader: ({ socket }) => {
          let before = takenFrom(socket)
          let waited = 0
          return watch((elapsed) => {
            if (socket.writableLength > 0) waited += elapsed
            if (waited < patience.answer) return
            const taken = takenFrom(socket)
            if (taken - before < patience.bytesPerSecond * waited / 1000) socket.resetAndDestroy()
            before = taken
            waited = 0
          })
        },
        watchBody: (request, maxBytes, giveUp) => {
          const { socket } = request
          const before = socket.bytesRead
          let received = before
          let waited = 0
          let total = 0
          return watch((elapsed) => {
            // If received bytes are still unread, this process is the slow side, not the client.
            if (request.readableLength > 0 || request.complete) return
            const now = socket.bytesRead
            waited = now === received ? waited + elapsed : 0
            received = now
            total += elapsed
            const slow = maxBytes <= small
              ? total >= patience.smallBody
              : total >= patience.grace && received - before < patience.bytesPerSecond * total / 1000
            if (slow || waited >= patience.pause) giveUp()
          })
        }
      })
    })
  )
}

/** Returns the number of bytes that the kernel has taken. Node 26 has no public API for the unsent part of a write. */
const takenFrom = (socket: Socket) => {
  const { _handle: handle } = socket as Socket & {
    readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null
  }
  return handle == null ? socket.bytesWritten - socket.writableLength : handle.bytesWritten - handle.writeQueueSize
}
