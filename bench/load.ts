import { connect } from "node:net"

/** Requests as raw bytes over keep-alive connections: a client that costs little beside the server it loads. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The n-th request's bytes. */
  readonly request: (n: number) => Buffer
}

/** Answers per second; an answer other than 200 ends the run. */
export const load = async ({ connections, port, request, seconds }: Load): Promise<number> => {
  const end = performance.now() + seconds * 1000
  let sent = 0
  let answered = 0
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, () =>
    new Promise<void>((finished, failed) => {
      const socket = connect(port, "127.0.0.1")
      let left = -1
      const next = () => performance.now() < end ? socket.write(request(sent++)) : socket.end(finished)
      socket.on("connect", next).on("error", failed).on("data", (chunk) => {
        if (left < 0) {
          const headEnd = chunk.indexOf("\r\n\r\n")
          const head = chunk.toString("latin1", 0, headEnd)
          if (!head.startsWith("HTTP/1.1 200")) return failed(new Error(head.slice(0, 400)))
          left = Number(/content-length: (\d+)/i.exec(head)![1]) - (chunk.length - headEnd - 4)
        } else {
          left -= chunk.length
        }
        if (left > 0) return
        left = -1
        answered++
        next()
      })
    })))
  return answered / ((performance.now() - started) / 1000)
}

export const get = (path: string, token = "") =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`)
