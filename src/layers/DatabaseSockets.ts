import { Context, Effect, Layer, Schedule } from "effect"
import { connect, type Socket } from "node:net"
import { hearUnanswered } from "../sql/Connections.ts"

/** TCP asks an idle peer after this time whether it is there. */
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 10_000 }

interface Heard {
  /** The bytes read so far, and the moment when that last rose, in milliseconds. */
  bytes: number
  at: number
}

/** A socket that is silent for so long while the database is suspect is dead, in milliseconds. */
const patience = 7_000

/** The database is suspect for so long after the last statement without an answer, in milliseconds. */
const suspicion = 2 * patience

/**
 * Opens the connections to the database, and gives up those that went silent: a host that vanished, or a firewall
 * that forgot them, closes nothing, and the driver would wait for an answer for ever, its BEGIN and COMMIT even when
 * interrupted. Silence alone says nothing, because idle connections are silent too; once a statement had no answer in
 * time, all that are silent for as long are closed, and cost a new connection each.
 */
export class DatabaseSockets extends Context.Service<DatabaseSockets, {
  readonly open: (to: { readonly host: string; readonly port: number }) => Socket
}>()("vrss/DatabaseSockets") {
  static readonly layer = Layer.effect(
    DatabaseSockets,
    Effect.gen(function*() {
      const sockets = new Map<Socket, Heard>()
      let suspectUntil = 0
      yield* hearUnanswered(() => suspectUntil = performance.now() + suspicion)

      yield* Effect.sync(() => {
        const now = performance.now()
        for (const [socket, heard] of sockets) {
          if (socket.bytesRead > heard.bytes) Object.assign(heard, { bytes: socket.bytesRead, at: now })
          else if (now < suspectUntil && now - heard.at >= patience) socket.destroy()
        }
      }).pipe(Effect.repeat(Schedule.spaced("500 millis")), Effect.forkScoped)

      return DatabaseSockets.of({
        open: ({ host, port }) => {
          // A folder stands for the socket in it, as for libpq.
          const at = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port, ...keepAlive }
          const socket = connect({ noDelay: true, ...at }).once("close", () => sockets.delete(socket))
          sockets.set(socket, { bytes: 0, at: performance.now() })
          return socket
        }
      })
    })
  )
}
