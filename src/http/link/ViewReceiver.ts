import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Receiver } from "../../services/link/RunningTransfers.ts"

const nextRequest = Symbol("next request")

/** Tells a view that its connection got the next request, which confirms that the client has read the view's answer. */
export const noteRequest = ({ socket }: IncomingMessage) => void socket.emit(nextRequest)

/** Milliseconds that the client has to close its side after ours is closed. Then the connection is destroyed. */
const patience = 60_000

export const viewReceiver = (request: HttpServerRequest.HttpServerRequest): Receiver => {
  const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
  const { socket } = response.req
  // Ends only our direction (RFC 9112, 9.6). If Node closed both, the client might never read the end of the answer.
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), patience).unref()
  }
  return {
    unsent: () => response.writableLength,
    abort: (linkEnded) => {
      // An answer without a socket waits for an earlier answer on the connection. That answer must not be cut off.
      if (response.socket === null) response.destroy()
      else if (linkEnded) socket.resetAndDestroy()
      else socket.destroy()
    },
    farewell: (isDelivered) =>
      Effect.callback((resume) => {
        const end = (inOrder: boolean) => {
          socket.off("end", over).off(nextRequest, over).off("close", close)
          resume(Effect.succeed(inOrder))
        }
        const over = () => isDelivered() && end(true)
        const close = () => end(false)
        socket.on("end", over).on(nextRequest, over).on("close", close)
        if (socket.destroyed) close()
      })
  }
}
