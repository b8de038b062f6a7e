import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { SMTPServer } from "smtp-server"

export interface ReceivedMail {
  /** The envelope's recipients. */
  readonly recipients: ReadonlyArray<string>
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly html: string
  readonly raw: string
}

/** A real SMTP server on loopback that keeps what it is sent. */
export interface Mailbox {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: ReadonlyArray<ReceivedMail>
  /** Mails that were refused. */
  readonly refused: () => number
  readonly close: () => Promise<void>
}

/** With `refuse` it takes no mail: 550 for each recipient. */
export const openMailbox = async ({ refuse = false } = {}): Promise<Mailbox> => {
  const mails: Array<ReceivedMail> = []
  let refused = 0
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo: (_address, _session, done) => {
      if (!refuse) return done()
      refused++
      done(Object.assign(new Error("No such mailbox"), { responseCode: 550 }))
    },
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ ...parseMail(Buffer.concat(chunks).toString()), recipients })
        done()
      })
    }
  })
  server.on("error", () => {})
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refused: () => refused,
    close: () => new Promise((closed) => server.close(() => closed()))
  }
}

/** A server that takes connections and never says a word. */
export const openSilentServer = async () => {
  const sockets = new Set<Socket>()
  let ended = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => ended++)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    /** Connections that the other side has given up. */
    ended: () => ended,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}

/** A mail of one text and one HTML part (RFC 2046, multipart/alternative), as the service writes them. */
export const parseMail = (raw: string): ReceivedMail => {
  const { body, headers } = parsePart(raw)
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/s.exec(headers.get("content-type") ?? "")?.[1]
  const parts = boundary === undefined
    ? []
    : body.split(`--${boundary}`).slice(1, -1).map((part) => parsePart(part.trimStart()))
  const content = (type: string) => decode(parts.find(({ headers }) => headers.get("content-type")?.startsWith(type)))
  return { raw, headers, recipients: [], text: content("text/plain"), html: content("text/html") }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const parsePart = (raw: string): Part => {
  const [head = "", ...rest] = raw.replaceAll("\r\n", "\n").split("\n\n")
  const lines = head.replace(/\n[ \t]+/g, " ").split("\n")
  const headers = new Map(lines.map((line) => [line.split(":", 1)[0]!.toLowerCase(), line.replace(/^[^:]*:\s*/, "")]))
  return { headers, body: rest.join("\n\n") }
}

const decode = ({ body, headers }: Part = { body: "", headers: new Map() }) => {
  const encoding = headers.get("content-transfer-encoding")
  if (encoding === "base64") return Buffer.from(body, "base64").toString()
  if (encoding !== "quoted-printable") return body
  const bytes = body.replace(/=\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString()
}

/** Asks until `condition` holds; the test's own time limit ends it otherwise. */
export const until = async (condition: () => boolean | Promise<boolean>) => {
  while (!await condition()) await new Promise((again) => setTimeout(again, 20))
}
