import { once } from "node:events"
import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
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
 * Opens an app's receiver. It answers each message with the next of these statuses, and all later messages with 202. A
 * status of 0 means no answer.
 */
export const openReceiver = async (...statuses: ReadonlyArray<number>) => {
  const told: Array<Told> = []
  const left = [...statuses]
  const server = createServer({ cert: certificate.cert, key: certificate.private }, async (request, response) => {
    told.push({ url: request.url!, headers: request.headers, body: await text(request) })
    const status = left.shift() ?? 202
    // The service must not wait for the answer's body, so the body never ends.
    if (status > 0) response.writeHead(status, { location: "/elsewhere" }).write("x")
  })
  let [open, most] = [0, 0]
  server.on("secureConnection", (socket) => {
    most = Math.max(most, ++open)
    socket.on("error", () => {}).on("close", () => open--)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  return {
    told,
    /** The highest number of connections that were open at once. */
    most: () => most,
    url: (name = "app") => `https://${name}.loopback.example:${port}/hook?of=app`,
    hangUp: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
