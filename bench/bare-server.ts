import { readFileSync } from "node:fs"
import { createServer } from "node:http"

/**
 * The floor of an HTTP answer: node:http sends the bytes of the file named first, in the fastest way. The head is made
 * once, and a small body is text that leaves in one write with it. Prints its port.
 */
const bytes = readFileSync(process.argv[2]!)

const body = bytes.length < 16_384 ? bytes.toString("latin1") : bytes

const head = ["content-type", "application/json", "content-length", `${bytes.length}`]

const server = createServer((_request, response) => {
  response.sendDate = false
  response.writeHead(200, head).end(body, "latin1")
}).listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as { readonly port: number }).port}\n`))
