import type { ChildProcess } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { request } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, test, vi } from "vitest"
import { download, upload } from "../http/release/Releases.ts"
import { atEnd, openApp } from "../support/App.ts"
import { randomAddress, signInVeteran } from "../support/Client.ts"
import { sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { noHaproxy, runHaproxy } from "./Haproxy.ts"
import { documentedIn, noNginx, runNginx } from "./Nginx.ts"

// The proxies have self-signed certificates. Other files run in the same worker, and must not trust those.
beforeAll(() => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
})
afterAll(() => void vi.unstubAllEnvs())

const nginx = async (target: number) => {
  const { folder, process, url } = await runNginx(documentedIn("The API behind a proxy"), [
    ["server 127.0.0.1:8080;", `server 127.0.0.1:${target};`],
    ["/var/log/nginx/api.log", "/dev/null"]
  ])
  return { url, folder, process }
}

/** The files below a folder that a program and its children have open, even if their names are removed. */
const openFiles = ({ folder, process: { pid } }: { readonly folder: string; readonly process: ChildProcess }) => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")
  return [`${pid}`, ...children].filter(Boolean).flatMap((one) =>
    readdirSync(`/proc/${one}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${one}/fd/${fd}`)]
      } catch {
        return []
      }
    })
  ).filter((file) => file.startsWith(folder) && !file.startsWith(join(folder, "error.log")))
}

const residentBytes = ({ process: { pid } }: { readonly process: ChildProcess }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024

const openBackend = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const noProxies = noNginx || noHaproxy

test.skipIf(noProxies)("nginx and HAProxy wait 100 seconds for a signing (need nginx and haproxy)", async () => {
  const port = await openBackend((incoming, response) => {
    incoming.resume()
    if (incoming.url === "/health") return void response.end("ok")
    incoming.on("end", async () => {
      await setTimeout(100_000)
      response.writeHead(201).end("signed")
    })
  })
  const proxies = [await nginx(port), await runHaproxy(port)]
  await Promise.all(proxies.map(async ({ url }) => {
    const answer = await fetch(`${url}/api/veteran/me/roi`, { method: "POST", body: "{}" })
    assert.deepStrictEqual([answer.status, await answer.text()], [201, "signed"])
  }))
}, 150_000)

/** Opens a secure link from an address of this machine, while the client claims another address each time. */
const openLink = async (url: string, localAddress: string) => {
  const headers = { "x-forwarded-for": randomAddress(), "content-type": "application/json" }
  const sent = request(`${url}/api/secure-links/open`, {
    method: "POST",
    localAddress,
    family: 4,
    rejectUnauthorized: false,
    headers
  })
  sent.end(JSON.stringify({ token: randomBytes(32).toString("base64url") }))
  const [answer] = await once(sent, "response") as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

describe.each(
  [
    ["nginx", noNginx, nginx, ["127.0.0.9", "127.0.0.10"]],
    ["HAProxy", noHaproxy, runHaproxy, ["127.0.0.11", "127.0.0.12"]]
  ] as const
)(
  "%s with the lines of docs/operator.md, \"The API behind a proxy\",",
  (name, isMissing, open, clients) => {
    const title = isMissing ? ` (skipped: ${name} is not installed)` : ""

    test.skipIf(isMissing)(`passes a sync of 30 MB, an upload of 25 MB and its download${title}`, async () => {
      const { service } = await openApp()
      const proxy = await open(Number(new URL(service.url).port))
      const veteran = await signInVeteran(service)
      const note = [{ text: "a".repeat(300_000) }]
      const conditions = Array.from(
        { length: 100 },
        (_, index) => JSON.stringify({ resourceType: "Condition", id: `c${index}`, note })
      )
      await sync(proxy, veteran, { Condition: "complete" }, { Condition: conditions })
      const content = "%PDF-1.7\n" + randomBytes(9 * 1024 * 1024).toString("hex") +
        randomBytes(3_600_000).toString("hex")
      const uploaded = await upload(proxy, veteran, content.slice(0, 25_000_000), "scan.pdf")
      assert.strictEqual(uploaded.status, 201, uploaded.text)
      const path = `/api/veteran/me/documents/${uploaded.json.id}/content`
      const { bytes } = await download(proxy, veteran, path)
      assert.strictEqual(bytes.toString("latin1"), content.slice(0, 25_000_000))
      assert.deepStrictEqual(openFiles(proxy), [])
    }, 120_000)

    test.skipIf(isMissing)(`passes the client's address, and not the one that the client claims${title}`, async () => {
      const { service } = await openApp()
      const proxy = await open(Number(new URL(service.url).port))
      const [one, other] = clients
      const statuses = []
      for (let tries = 0; tries < 31; tries++) statuses.push(await openLink(proxy.url, one))
      assert.deepStrictEqual(statuses, [...Array<number>(30).fill(404), 429])
      assert.strictEqual(await openLink(proxy.url, other), 404)
    })

    test.skipIf(isMissing)(`keeps neither an upload nor a download on its disk or in memory${title}`, async () => {
      const size = 80 * 1024 * 1024
      const chunk = Buffer.alloc(64 * 1024, "health data")
      let [taken, given] = [0, 0]
      const port = await openBackend(async (incoming, response) => {
        if (incoming.url === "/health") return void response.end("ok")
        if (incoming.method === "POST") {
          // A reader who is busy: it takes the first bytes alone.
          incoming.once("data", ({ length }: Buffer) => {
            taken += length
            incoming.pause()
          })
          return
        }
        response.writeHead(200, { "content-type": "application/pdf", "content-length": `${size}` })
        while (given < size) {
          given += chunk.length
          if (!response.write(chunk)) await once(response, "drain")
        }
        response.end()
      })
      const proxy = await open(port)
      const before = residentBytes(proxy)

      const sent = request(`${proxy.url}/api/veteran/me/documents`, {
        method: "POST",
        rejectUnauthorized: false,
        headers: { "content-length": `${size / 2}` }
      })
      sent.on("error", () => {})
      let offered = 0
      const offer = () => {
        while (offered < size / 2 && sent.write(chunk)) offered += chunk.length
      }
      sent.on("drain", offer)
      offer()
      await until("the service has the first bytes", () => Promise.resolve(taken > 0))
      await setTimeout(2_000)
      assert.deepStrictEqual(openFiles(proxy), [])
      assert.isBelow(offered, size / 4)
      sent.destroy()

      const asked = request(`${proxy.url}/api/veteran/me/documents/x/content`, { rejectUnauthorized: false }).end()
      const [answer] = await once(asked, "response") as [IncomingMessage]
      // A client that reads nothing must stop the service, instead of filling the proxy.
      answer.pause()
      await setTimeout(2_000)
      assert.deepStrictEqual(openFiles(proxy), [])
      assert.isBelow(given, size / 4)
      assert.isBelow(residentBytes(proxy) - before, size / 4)
      let got = 0
      answer.on("data", ({ length }: Buffer) => got += length).resume()
      await once(answer, "end")
      assert.strictEqual(got, size)
    }, 60_000)
  }
)
