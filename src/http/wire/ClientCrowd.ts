import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Server } from "node:http"
import { descriptorsBeside, maxDescriptors } from "../../services/platform/Descriptors.ts"
import { sampleCounter, sampleGauge } from "../../services/platform/Gauges.ts"
import { countLimited } from "../../services/platform/RateLimits.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { addressNetwork, clientAddress } from "./ClientAddress.ts"
import { onGone, outgoingOf } from "./Http1.ts"

/**
 * Requests of one connection, which then closes. Node begins all requests that a client sends at once (pipelining), so
 * thousands of them on one connection would keep everybody else waiting.
 */
const requestsPerConnection = 100

/**
 * Limits the number of all connections, and the number of each client address's connections. Behind trusted proxies
 * every connection is a proxy's, so a client's concurrent requests are counted instead.
 */
export class ClientCrowd extends Context.Service<ClientCrowd, {
  /** Closes connections above the limit without an answer: an answer would cost as much as serving the client. */
  readonly bound: (server: Server) => void
  /** Counts a request until its answer is sent. Returns false if its client has too many. */
  readonly enter: (request: HttpServerRequest.HttpServerRequest) => boolean
}>()("vrss/http/ClientCrowd") {
  static readonly layer = Layer.effect(
    ClientCrowd,
    Effect.gen(function*() {
      const { maxConnections: configured, maxConnectionsPerAddress, trustedProxyHops } = yield* Settings
      const maxConnections = yield* withinDescriptors(configured)
      let connections = 0
      let refused = 0
      yield* sampleGauge("http_connections", "Connections of clients", () => connections)
      yield* sampleGauge("http_connections_max", "The limit of connections (MAX_CONNECTIONS)", () => maxConnections)
      const description = "Connections that were closed at once because there were too many, in all or of one address"
      yield* sampleCounter("http_connections_refused_total", description, () => refused)
      const counts = new Map<string, number>()
      const enter = (address: string) => {
        const count = counts.get(address) ?? 0
        if (count >= maxConnectionsPerAddress) return
        counts.set(address, count + 1)
        return () => {
          const remaining = counts.get(address)! - 1
          if (remaining === 0) counts.delete(address)
          else counts.set(address, remaining)
        }
      }
      return ClientCrowd.of({
        bound: (server) => {
          server.maxRequestsPerSocket = requestsPerConnection
          server.on("dropRequest", (_, socket) => socket.destroy())
          server.maxConnections = maxConnections
          server.on("drop", () => refused++)
          server.on("connection", (socket) => {
            connections++
            socket.once("close", () => connections--)
          })
          if (trustedProxyHops > 0) return
          server.on("connection", (socket) => {
            const leave = enter(addressNetwork(socket.remoteAddress ?? "unknown"))
            if (leave === undefined) {
              refused++
              socket.resetAndDestroy()
            } else socket.once("close", leave)
          })
        },
        enter: (request) => {
          if (trustedProxyHops === 0) return true
          const leave = enter(clientAddress(request, trustedProxyHops))
          if (leave === undefined) countLimited("requests of an address at once")
          else onGone(outgoingOf(request), leave)
          return leave !== undefined
        }
      })
    })
  )
}

/** Returns a lower maximum if too few file descriptors would remain for files and database connections. */
const withinDescriptors = Effect.fnUntraced(function*(maxConnections: number) {
  const needed = maxConnections + descriptorsBeside
  const available = maxDescriptors() ?? needed
  if (available >= needed) return maxConnections
  const fewer = Math.max(16, available - descriptorsBeside)
  yield* Effect.logWarning(
    `MAX_CONNECTIONS=${maxConnections} needs ${needed} file descriptors, but this process may have ${available}: it takes ${fewer} ` +
      "connections at once. Raise the limit (ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker), or lower MAX_CONNECTIONS"
  )
  return fewer
})
