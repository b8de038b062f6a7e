import { readFileSync } from "node:fs"
import { createServer } from "node:http"

/** The floor of an HTTP answer: the bytes of the file named first, sent by nothing but node:http. Prints its port. */
const body = readFileSync(process.argv[2]!)

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
}).listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as { readonly port: number }).port}\n`))
