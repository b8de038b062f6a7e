import { connect } from "node:net"

/** A crowd in a process of its own, so that it does not share the loop of who measures. Its arguments are one JSON object. */
export interface Crowd {
  readonly port: number
  /** A connection for each: the bytes of its request, and how many more of nothing it sends after. */
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
    // It goes on taking a little, so that it is slow and not gone.
    socket.pause()
    setTimeout(() => socket.resume(), 5000)
  })
}

process.on("SIGTERM", () => process.exit()).on("exit", () => console.log(JSON.stringify(statuses)))
