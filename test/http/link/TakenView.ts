import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { randomAddress } from "../../support/Client.ts"
import { parseAnswer } from "../../support/Raw.ts"
import type { Service } from "../../support/Service.ts"

type Target = Pick<Service, "url">

/** Posts on a connection that stays open. Returns once all bytes that the content-length announced have arrived. */
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

/** Receives the whole answer of a view on a separate connection. The caller then calls `reset` or `close`. */
export const takeView = async ({ url }: Target, viewSession: string, offset?: number) => {
  const socket = connect(Number(new URL(url).port), "localhost").on("error", () => {})
  const view = (at?: number) => post(socket, "/api/secure-links/view", { viewSession, offset: at })
  const answer = await view(offset)
  const closed = once(socket, "close")
  return {
    ...answer,
    /** Sends another view on the same connection. */
    again: view,
    /** Breaks the connection (RST). */
    reset: async () => {
      socket.resetAndDestroy()
      await closed
    },
    /** Closes the connection properly from the client's side (FIN). */
    close: async () => {
      socket.end()
      await closed
    }
  }
}
