import type { Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { asAdmin, call, signInVeteran } from "../../support/Client.ts"
import { isMissing } from "../../support/Programs.ts"
import { head, open } from "../../support/Sockets.ts"
import { resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { upload } from "../release/Releases.ts"

const lowers = !isMissing("prlimit")

const program = fileURLToPath(new URL("../../support/few-descriptors.ts", import.meta.url))

const countEnded = (sockets: ReadonlyArray<Socket>) =>
  sockets.filter(({ closed, destroyed }) => destroyed || closed).length

describe.runIf(lowers)("With 256 file descriptors (needs prlimit)", () => {
  test("the service warns at its start, limits its connections to 128, and still answers and syncs", async () => {
    const service = await openService(await openDatabase(), {}, program)
    const warning = await until(
      "the warning has come",
      async () => service.output().split("\n").find((line) => line.includes("file descriptors"))
    )
    assert.strictEqual(
      JSON.parse(warning).message,
      "MAX_CONNECTIONS=4000 needs 4128 file descriptors, but this process may have 256: it takes 128 connections at once. " +
        "Raise the limit (ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker), or lower MAX_CONNECTIONS"
    )
    const veteran = await signInVeteran(service)
    const file = await upload(service, veteran, "text ".repeat(1_000_000))
    assert.strictEqual(file.status, 201)

    // The service has room for 128 connections.
    const idle = await Promise.all(Array.from({ length: 150 }, () => open(service)))
    await until("some are refused", async () => countEnded(idle) > 20)
    for (const socket of idle) socket.destroy()

    // 300 clients request the file and read nothing.
    const crowd = await Promise.all(Array.from({ length: 300 }, async (_, n) => {
      const address = `198.51.100.${n % 250}`
      const socket = await open(service)
      socket.pause().write(head(`GET /api/veteran/me/documents/${file.json.id}/content`, {
        ...veteran.headers,
        "x-forwarded-for": address
      }))
      return socket
    }))
    await until("some are closed", async () => countEnded(crowd) > 100)
    for (const socket of crowd.slice(0, 40)) socket.destroy()
    await until("there is room again", async () => {
      const answer = await call(service, "GET", "/health").catch(() => undefined)
      return answer?.status === 200
    })
    // Enough descriptors remain for a large sync, which needs a child process, database connections and a file.
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: Array.from({ length: 3000 }, (_, n) => resource("Condition", `c${n}`))
    })
    const metrics = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(metrics.text)?.[1])
    assert.strictEqual(value("process_max_fds"), 256)
    assert.strictEqual(value("http_connections_max"), 128)
    // The exact number is unknown. A connection that fails for lack of a descriptor is not counted, and the files that
    // the service reads for the clients take descriptors too.
    assert.isAbove(value("http_connections_refused_total"), 0)
    for (const socket of crowd) socket.destroy()
    await until("all are gone", async () => {
      const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
      return Number(/^http_connections (\d+)/m.exec(text)![1]) < 10
    })
    assert.strictEqual((await call(service, "GET", "/api/ready")).status, 200)
    assert.strictEqual(await service.stop(), 0)
  })
})
