import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { randomAddress } from "../../support/Client.ts"
import { parseAnswer } from "../../support/Raw.ts"
import type { Service } from "../../support/Service.ts"

type Target = Pick<Service, "url">

/** Posts on a connection that stays open, and answers once all of the answer's content-length is there. */
const post = async (socket: Socket, path: string, body: object) => {
  const text = JSON.stringify(body)
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${randomAddress()}\r\n` +
      `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  )
  const chunks: Array<Buffer> = []
  let missing = Infinity
  let head = ""
  while (missing > 0) {
    const [chunk] = await once(socket, "data") as [Buffer]
    chunks.push(chunk)
    missing -= chunk.length
    if (head !== "") continue
    const received = Buffer.concat(chunks)
    const at = received.indexOf("\r\n\r\n") + 4
    if (at < 4) continue
    head = received.toString("latin1", 0, at)
    missing = Number(parseAnswer(head).headers.get("content-length")) - (received.length - at)
  }
  const { headers, status } = parseAnswer(head)
  const bytes = Buffer.concat(chunks).subarray(head.length)
  return { status, headers, bytes, error: status < 400 ? undefined : JSON.parse(bytes.toString()).error as string }
}

/** Takes a view's answer whole on a connection of its own, and leaves to the caller what becomes of the connection. */
export const takeView = async ({ url }: Target, viewSession: string, offset?: number) => {
  const socket = connect(Number(new URL(url).port), "localhost").on("error", () => {})
  const view = (at?: number) => post(socket, "/api/secure-links/view", { viewSession, offset: at })
  const answer = await view(offset)
  const closed = once(socket, "close")
  return {
    ...answer,
    /** Asks for more on the same connection. */
    again: view,
    /** The connection breaks (RST). */
    reset: async () => {
      socket.resetAndDestroy()
      await closed
    },
    /** The client closes the connection in order (FIN). */
    close: async () => {
      socket.end()
      await closed
    }
  }
}
