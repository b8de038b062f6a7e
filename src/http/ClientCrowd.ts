import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Server } from "node:http"
import { Settings } from "../services/platform/Settings.ts"
import { addressNetwork, clientAddress } from "./ClientAddress.ts"
import { onGone, outgoingOf } from "./Http1.ts"

/**
 * Bounds how many connections there are, and how many one client address has. Behind trusted proxies every connection is
 * a proxy's, so that a client's requests under way are counted there instead.
 */
export class ClientCrowd extends Context.Service<ClientCrowd, {
  /** Closes what is too much as soon as it connects: an answer would cost as much as the client. */
  readonly bound: (server: Server) => void
  /** Counts a request as under way until its answer is gone. Answers false where its client has too many. */
  readonly enter: (request: HttpServerRequest.HttpServerRequest) => boolean
}>()("vrss/http/ClientCrowd") {
  static readonly layer = Layer.effect(
    ClientCrowd,
    Effect.map(Settings, ({ maxConnections, maxConnectionsPerAddress, trustedProxyHops }) => {
      const counts = new Map<string, number>()
      const enter = (address: string) => {
        const count = counts.get(address) ?? 0
        if (count >= maxConnectionsPerAddress) return
        counts.set(address, count + 1)
        return () => {
          const left = counts.get(address)! - 1
          if (left === 0) counts.delete(address)
          else counts.set(address, left)
        }
      }
      return ClientCrowd.of({
        bound: (server) => {
          server.maxConnections = maxConnections
          if (trustedProxyHops > 0) return
          server.on("connection", (socket) => {
            const leave = enter(addressNetwork(socket.remoteAddress ?? "unknown"))
            if (leave === undefined) socket.resetAndDestroy()
            else socket.once("close", leave)
          })
        },
        enter: (request) => {
          if (trustedProxyHops === 0) return true
          const leave = enter(clientAddress(request, trustedProxyHops))
          if (leave !== undefined) onGone(outgoingOf(request), leave)
          return leave !== undefined
        }
      })
    })
  )
}
