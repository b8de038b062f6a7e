import { readFileSync } from "node:fs"
import { createServer } from "node:http"

/**
 * A minimal HTTP server, with which the service's speed is compared. It answers every request with the bytes of the
 * file that the first argument names, and prints its port. The headers are made only once. A small body is a string,
 * because Node then sends it in one write with the headers.
 */
const bytes = readFileSync(process.argv[2]!)

const body = bytes.length < 16_384 ? bytes.toString("latin1") : bytes

const head = ["content-type", "application/json", "content-length", `${bytes.length}`]

const server = createServer((_request, response) => {
  response.sendDate = false
  response.writeHead(200, head).end(body, "latin1")
}).listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as { readonly port: number }).port}\n`))
