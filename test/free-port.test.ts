import { once } from "node:events"
import { createServer } from "node:net"
import { assert, onTestFinished, test } from "vitest"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"

test("A free port can be listened on, and outgoing connections never get it", async () => {
  const ports: Array<number> = []
  while (ports.length < 20) {
    const port = await freePort()
    const server = createServer().listen(port, "localhost")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    ports.push(port)
  }
  assert.deepStrictEqual(ports.filter((port) => port >= 32_768), [])
})
