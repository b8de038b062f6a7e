import { readFileSync } from "node:fs"
import { createServer } from "node:http"

/**
 * The floor of an HTTP answer: node:http sends the bytes of a file in the fastest way. The first argument is the file.
 * The head is made only once. A small body is a string, because Node sends it in one write with the head. Prints its
 * port.
 */
const bytes = readFileSync(process.argv[2]!)

const body = bytes.length < 16_384 ? bytes.toString("latin1") : bytes

const head = ["content-type", "application/json", "content-length", `${bytes.length}`]

const server = createServer((_request, response) => {
  response.sendDate = false
  response.writeHead(200, head).end(body, "latin1")
}).listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as { readonly port: number }).port}\n`))
