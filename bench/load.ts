import { connect } from "node:net"
import { head } from "../test/support/Sockets.ts"

/**
 * Sends raw requests over keep-alive connections. Such a client needs little processor time in comparison with the
 * server.
 */
export interface Load {
  readonly connections: number
  readonly seconds: number
  /** They are sent in turn. */
  readonly requests: ReadonlyArray<Buffer>
}

interface Loaded {
  readonly answered: number
  readonly perSecond: number
}

/** Measures how many requests the server answers. Fails at the first status other than 200. */
export const load = async (
  port: number,
  { connections, requests, seconds }: Load
): Promise<Loaded> => {
  const end = performance.now() + seconds * 1000
  let [sent, answered] = [0, 0]
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, () =>
    new Promise<void>((finished, failed) => {
      const socket = connect(port, "127.0.0.1")
      // The number of bytes that the answer's body still lacks: -1 before its head arrives, Infinity for a chunked
      // body.
      let left = -1
      // The length of the last small answer. A successful answer of the same length counts as complete, and its head is
      // not parsed. Parsing takes as long as the bare server takes to send an answer. So it would make that server,
      // with which the service is compared, look slower than it is.
      let whole = -1
      const next = () => {
        left = -1
        return performance.now() < end ? socket.write(requests[sent++ % requests.length]!) : socket.end(finished)
      }
      socket.on("connect", next).on("error", failed).on("data", (chunk: Buffer) => {
        if (left < 0 && chunk.length === whole && chunk[9] === 0x32) left = 0
        else if (left < 0) {
          const headEnd = chunk.indexOf("\r\n\r\n")
          const head = chunk.toString("latin1", 0, headEnd)
          if (!head.startsWith("HTTP/1.1 200")) return failed(new Error(head.slice(0, 400)))
          const length = /content-length: (\d+)/i.exec(head)?.[1]
          left = length === undefined ? Infinity : Number(length) - (chunk.length - headEnd - 4)
          if (left === 0 && chunk.length < 16_384) whole = chunk.length
        } else left -= chunk.length
        if (left === Infinity ? !chunk.subarray(-5).equals(lastChunk) : left > 0) return
        answered++
        next()
      })
    })))
  return { answered, perSecond: answered / ((performance.now() - started) / 1000) }
}

const lastChunk = Buffer.from("0\r\n\r\n")

export const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Buffer.from(head(`GET ${path}`, headers))

export const post = (path: string, headers: Readonly<Record<string, string>>, body: Buffer) => {
  const sent = { ...headers, "content-type": "application/json", "content-length": body.length }
  return Buffer.concat([Buffer.from(head(`POST ${path}`, sent)), body])
}
