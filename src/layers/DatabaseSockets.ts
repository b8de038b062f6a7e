import { Context, Effect, Layer, Schedule } from "effect"
import { connect, type Socket } from "node:net"
import { hearUnanswered } from "../sql/Connections.ts"

/** TCP probes an idle peer after this delay, in milliseconds. */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 10_000 }

interface LastRead {
  /** Bytes read so far, and the time in milliseconds (`at`) when that number last grew. */
  bytes: number
  at: number
}

/** While the database is suspect, a socket counts as dead after this many milliseconds of silence. */
const maxSilenceMs = 7_000

/** The database stays suspect for this many milliseconds after a statement without an answer. */
const suspectMs = 2 * maxSilenceMs

/**
 * Opens the connections to the database and closes dead ones. A host that vanished, or a firewall that forgot a
 * connection, closes nothing, and the driver would wait for ever. Idle connections are silent too, so silence alone is
 * no sign of death. After a statement without an answer, all sockets silent for `maxSilenceMs` are closed. If an idle
 * connection is among them, the only cost is that of a new connection.
 */
export class DatabaseSockets extends Context.Service<DatabaseSockets, {
  readonly open: (to: { readonly host: string; readonly port: number }) => Socket
}>()("vrss/layers/DatabaseSockets") {
  static readonly layer = Layer.effect(
    DatabaseSockets,
    Effect.gen(function*() {
      const sockets = new Map<Socket, LastRead>()
      let suspectUntil = 0
      yield* hearUnanswered(() => suspectUntil = performance.now() + suspectMs)

      yield* Effect.sync(() => {
        const now = performance.now()
        for (const [socket, lastRead] of sockets) {
          if (socket.bytesRead > lastRead.bytes) Object.assign(lastRead, { bytes: socket.bytesRead, at: now })
          else if (now < suspectUntil && now - lastRead.at >= maxSilenceMs) socket.destroy()
        }
      }).pipe(Effect.repeat(Schedule.spaced("500 millis")), Effect.forkScoped)

      return DatabaseSockets.of({
        open: ({ host, port }) => {
          // As in libpq, a host that is a path names the folder of a Unix socket.
          const at = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port, ...keepAlive }
          const socket = connect({ noDelay: true, ...at }).once("close", () => sockets.delete(socket))
          sockets.set(socket, { bytes: 0, at: performance.now() })
          return socket
        }
      })
    })
  )
}
