import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { generate } from "selfsigned"
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

/** A real SMTP server on loopback that keeps its mails. */
export interface Mailbox {
  /** The value for SMTP_URL. */
  readonly url: string
  readonly port: number
  /** The PEM of the private authority that issued the certificate, if `secure`. */
  readonly authority: string
  readonly mails: ReadonlyArray<ReceivedMail>
  /** How many recipients were refused, permanently or temporarily. */
  readonly refused: () => number
  /** The next recipients, this many, are refused with 451. */
  readonly greylist: (times: number) => void
  /** From now on, a mail that has arrived gets no answer until `release`. */
  readonly hold: () => { readonly held: () => number; readonly release: () => void }
  /** Connections that are open now, and all connections so far. */
  readonly connections: () => { readonly open: number; readonly ever: number }
  /** Ends every connection at once, as a restart does: by a reset or by a regular end. */
  readonly cut: (reset?: boolean) => void
  readonly close: () => Promise<void>
}

/** When a server drops the connection: before it accepts the sender, or before it accepts the whole mail. */
export type Drop = "sender" | "mail"

interface MailboxOptions {
  /** After this many idle milliseconds, the server answers 421 and closes the connection. */
  readonly idle?: number
  /** Decides at each step of a mail whether to drop. `mailsBefore` counts the connection's earlier mails. */
  readonly drops?: (step: Drop, mailsBefore: number) => boolean
  /** Answers 550 for each recipient. */
  readonly refuse?: boolean
  readonly secure?: "smtps" | "starttls"
  readonly port?: number
  /** The certificate's name if it is not localhost, and whether the certificate has expired. */
  readonly name?: string
  readonly expired?: boolean
  /** The password that clients need. */
  readonly password?: string
  /** Runs before a mail is acknowledged. */
  readonly deliver?: (raw: Buffer) => Promise<void>
  /** Answers 550 for each sender. */
  readonly refuseSender?: boolean
}

export const openMailbox = async (
  options: MailboxOptions = {}
): Promise<Mailbox> => {
  const { password, port: wanted = 0, refuse = false, secure } = options
  const mails: Array<ReceivedMail> = []
  let refused = 0
  let unready = 0
  let held = 0
  let gate = Promise.resolve()
  const { authority, cert, private: key } = secure === undefined
    ? { cert: "", private: "", authority: "" }
    : await issued(options)
  const sockets = new Set<Socket>()
  const sent = new Map<string, number>()
  let ever = 0
  const cut = (reset = true) => {
    for (const socket of sockets) {
      if (reset) socket.resetAndDestroy()
      else socket.end()
    }
  }
  const isDropped = (step: Drop, { id }: { readonly id: string }) => {
    if (options.drops?.(step, sent.get(id) ?? 0) !== true) return false
    cut(false)
    return true
  }
  const server = new SMTPServer({
    // Clients keep connections open, so closing must not wait for them for long.
    closeTimeout: 500,
    ...(options.idle === undefined ? {} : { socketTimeout: options.idle }),
    ...(secure === undefined ? {} : { secure: secure === "smtps", cert, key }),
    disabledCommands: [...(password === undefined ? ["AUTH"] : []), ...(secure === "starttls" ? [] : ["STARTTLS"])],
    authOptional: password === undefined,
    onAuth: (given, _session, done) =>
      given.password === password ? done(null, { user: given.username }) : done(new Error("Wrong password")),
    onMailFrom: (_address, session, done) => {
      if (options.refuseSender === true) return done(Object.assign(new Error("No such sender"), { responseCode: 550 }))
      if (!isDropped("sender", session)) done()
    },
    onRcptTo: (_address, _session, done) => {
      if (!refuse && unready === 0) return done()
      if (!refuse) unready--
      refused++
      done(Object.assign(new Error("No such mailbox"), { responseCode: refuse ? 550 : 451 }))
    },
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", async () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        held++
        await gate
        if (isDropped("mail", session)) return
        sent.set(session.id, (sent.get(session.id) ?? 0) + 1)
        await options.deliver?.(Buffer.concat(chunks))
        mails.push({ ...parseMail(Buffer.concat(chunks).toString()), recipients })
        done()
      })
    }
  })
  server.on("error", () => {})
  server.server.on("connection", (socket: Socket) => {
    ever++
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  server.listen(wanted, "127.0.0.1")
  await once(server.server, "listening")
  const { port } = server.server.address() as AddressInfo
  return {
    url: `${secure === "smtps" ? "smtps" : "smtp"}://127.0.0.1:${port}`,
    port,
    authority,
    mails,
    refused: () => refused,
    greylist: (times) => {
      unready = times
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = held
      gate = promise
      return { held: () => held - before, release: resolve }
    },
    connections: () => ({ open: sockets.size, ever }),
    cut,
    close: () => new Promise((closed) => server.close(() => closed()))
  }
}

/** Makes a certificate for a name, and the private authority that issued it. */
export const issued = async (
  { expired = false, name = "localhost" }: Pick<MailboxOptions, "expired" | "name">
) => {
  const algorithms = { keyType: "ec", algorithm: "sha256" } as const
  const ca = await generate([{ name: "commonName", value: "A private authority" }], {
    ...algorithms,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }]
  })
  const day = 86_400_000
  const leaf = await generate([{ name: "commonName", value: name }], {
    ...algorithms,
    ca: { key: ca.private, cert: ca.cert },
    notBeforeDate: new Date(Date.now() - 2 * day),
    notAfterDate: new Date(Date.now() + (expired ? -day : day)),
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      {
        name: "subjectAltName",
        altNames: name === "localhost"
          ? [{ type: 2, value: name }, { type: 7, ip: "127.0.0.1" }]
          : [{ type: 2, value: name }]
      }
    ]
  })
  return { ...leaf, authority: ca.cert }
}

/** Opens a server that accepts connections and never answers. */
export const openSilentServer = async (port = 0) => {
  const sockets = new Set<Socket>()
  let ended = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => ended++)
  }).listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    /** How many connections the other side has closed. */
    ended: () => ended,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    }
  }
}

/** Parses a mail of one text and one HTML part (RFC 2046, multipart/alternative), as the service writes them. */
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
