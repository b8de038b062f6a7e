import { connect } from "node:net"

/**
 * Slow clients, in a separate process so that they do not share the measurement's event loop. The program's argument is
 * this object as JSON.
 */
export interface Crowd {
  readonly port: number
  /** Each request has its own connection, which sends `head` and then this number of space characters. */
  readonly requests: ReadonlyArray<{ readonly head: string; readonly blanks: number }>
}

const { port, requests } = JSON.parse(process.argv[2]!) as Crowd

const blank = Buffer.alloc(1024 * 1024, " ")

const statuses: Record<string, number> = {}

const count = (status: string) => statuses[status] = (statuses[status] ?? 0) + 1

for (const { blanks, head } of requests) {
  const socket = connect(port, "127.0.0.1")
  let answered = false
  socket.on("error", () => {}).on("close", () => count(answered ? "closed later" : "closed unanswered"))
  socket.write(head)
  for (let left = blanks; left > 0; left -= blank.length) socket.write(blank.subarray(0, Math.min(left, blank.length)))
  socket.on("data", (chunk) => {
    if (!answered) count(chunk.toString("latin1", 9, 12))
    answered = true
    // The client reads a little from time to time, so that it counts as slow, not as gone.
    socket.pause()
    setTimeout(() => socket.resume(), 5000)
  })
}

process.on("SIGTERM", () => process.exit()).on("exit", () => console.log(JSON.stringify(statuses)))
