import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { issued } from "../../support/Mailbox.ts"

export interface Told {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const certificate = await issued({ name: "*.loopback.example" })

/** PEM, for NODE_EXTRA_CA_CERTS. */
export const { authority } = certificate

/**
 * Answers each message with the next of these statuses, and all later messages with 202. A status of 0 means no answer.
 */
const listening = async (server: Server, connected: "connection" | "secureConnection", statuses: Iterable<number>) => {
  const told: Array<Told> = []
  const left = [...statuses]
  let [open, most] = [0, 0]
  server.on("request", async (request, response) => {
    told.push({ url: request.url!, headers: request.headers, body: await text(request) })
    const status = left.shift() ?? 202
    // The service must not wait for the answer's body, so the body never ends.
    if (status > 0) response.writeHead(status, { location: "/elsewhere" }).write("x")
  }).on(connected, (socket) => {
    most = Math.max(most, ++open)
    socket.on("error", () => {}).on("close", () => open--)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    told,
    /** The highest number of connections that were open at once. */
    most: () => most,
    port: (server.address() as AddressInfo).port,
    hangUp: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Opens an app's receiver. */
export const openReceiver = async (...statuses: ReadonlyArray<number>) => {
  const server = createTlsServer({ cert: certificate.cert, key: certificate.private })
  const receiver = await listening(server, "secureConnection", statuses)
  return { ...receiver, url: (name = "app") => `https://${name}.loopback.example:${receiver.port}/hook?of=app` }
}

/** Opens a witness of the tree, which may be without TLS. */
export const openWitness = async (...statuses: ReadonlyArray<number>) => {
  const witness = await listening(createServer(), "connection", statuses)
  return { ...witness, url: `http://127.0.0.1:${witness.port}/checkpoints` }
}
