import { randomBytes } from "node:crypto"
import { Agent, request } from "node:http"
import { assert, describe, test } from "vitest"
import { giveLinks, giveSessions } from "../http/document/Copies.ts"
import { signed } from "../http/release/Releases.ts"
import { openFolder } from "../support/App.ts"
import { randomAddress } from "../support/Client.ts"
import { resource, syncBody } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { openGround, openPeople } from "./Ground.ts"

const ground = await openGround()

// While the database is silent, it still sees a process that has ended. Beside it only the same folder is allowed.
const uploads = { UPLOAD_DIR: await openFolder() }

/** A reused connection may end before it brings an answer. Its request then counts as refused, not as lost. */
type Outcome = number | "refused" | "lost"

/** Sends requests on one connection that is kept alive, as browsers and proxies do. */
const keptAlive = (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (method: string, path: string, headers: Record<string, string>, body?: string | Uint8Array) =>
    new Promise<Outcome>((done) => {
      let heard = false
      const sent = request(`${url}${path}`, {
        agent,
        method,
        headers: { "x-forwarded-for": randomAddress(), "content-type": "application/json", ...headers }
      })
      sent.on("response", (response) => {
        heard = true
        response.on("error", () => done("lost")).on("end", () => done(response.statusCode!)).resume()
      })
      sent.on("error", ({ code }: NodeJS.ErrnoException) => {
        done(code === "ECONNREFUSED" || (!heard && sent.reusedSocket) ? "refused" : "lost")
      })
      sent.end(body)
    })
}

const form = (bytes: number) =>
  Buffer.concat([
    Buffer.from("--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"),
    Buffer.from(randomBytes(bytes / 2).toString("hex")),
    Buffer.from("\r\n--b--\r\n")
  ])

describe("On SIGTERM", () => {
  test(
    "amid reads, syncs, uploads and views no request in flight is lost, and a second signal changes nothing",
    async () => {
      const people = await openPeople(ground, uploads)
      const { provider, service, veteran } = people
      const { document } = await signed(service, veteran)
      const superuser = await ground.cluster.connect()
      const links = await giveLinks(service, superuser, { id: veteran.id, documentId: document.id }, 200)
      const sessions = [...await giveSessions(service, superuser, links)]
      const outcomes: Array<readonly [string, Outcome]> = []
      const state = { ended: false }
      const client = async (what: string, send: ReturnType<typeof keptAlive>, next: () => Parameters<typeof send>) => {
        while (!state.ended) {
          const outcome = await send(...next())
          if (outcome === "refused") return
          outcomes.push([what, outcome])
        }
      }
      const sync = (n: number) =>
        syncBody({ Condition: "complete" }, {
          Condition: Array.from({ length: 500 }, (_, i) => resource("Condition", `c-${i}`, { version: n }))
        })
      let syncs = 0
      const upload = form(4 * 1024 * 1024)
      const uploading = { ...veteran.headers, "content-type": "multipart/form-data; boundary=b" }
      const traffic = [
        ...[1, 2, 3, 4].map(() =>
          client("read", keptAlive(service.url), () => ["GET", "/api/veteran/me", veteran.headers])
        ),
        ...[1, 2].map(() =>
          client(
            "record",
            keptAlive(service.url),
            () => ["GET", `/api/provider/patients/${veteran.id}/record`, provider.headers]
          )
        ),
        client(
          "sync",
          keptAlive(service.url),
          () => ["POST", "/api/veteran/me/health-record/sync", veteran.headers, sync(syncs++)]
        ),
        client("upload", keptAlive(service.url), () => ["POST", "/api/veteran/me/documents", uploading, upload]),
        client(
          "view",
          keptAlive(service.url),
          () => ["POST", "/api/secure-links/view", {}, JSON.stringify({ viewSession: sessions.pop() })]
        )
      ]
      const seen = (what: string) => outcomes.some(([kind, outcome]) => kind === what && Number(outcome) < 300)
      await until("each kind was answered", async () => ["read", "record", "sync", "upload", "view"].every(seen))
      const stopped = service.stop("SIGTERM")
      service.process.kill("SIGTERM")
      assert.strictEqual(await stopped, 0)
      state.ended = true
      await Promise.all(traffic)
      const wrong = outcomes.filter(([, outcome]) => ![200, 201, 429].includes(outcome as number))
      assert.deepStrictEqual(wrong, [])
      // Only the sessions of answered views are spent.
      const { rows: [{ spent }] } = await superuser.query(
        "select count(*)::int as spent from secure_link_view_sessions where consumed_at is not null"
      )
      const viewed = outcomes.filter(([what, outcome]) => what === "view" && outcome === 200).length
      assert.strictEqual(spent, viewed)
      await superuser.end()
    }
  )

  test.each([
    ["amid requests", 3],
    ["with nothing to do", 0]
  ])(
    "while the database is silent, %s, the process ends within 25 seconds with status 0",
    async (_, requests) => {
      const { service, veteran } = await openPeople(ground, uploads)
      ground.proxy.silence()
      const answers = Array.from(
        { length: requests },
        () => keptAlive(service.url)("GET", "/api/veteran/me/health-record", veteran.headers)
      )
      if (requests > 0) {
        await new Promise((wait) => setTimeout(wait, 1_000))
      }
      const began = performance.now()
      const status = await service.stop("SIGTERM")
      const took = performance.now() - began
      ground.proxy.speak()
      assert.strictEqual(status, 0)
      assert.isBelow(took, 25_000)
      for (const answer of await Promise.all(answers)) assert.strictEqual(answer, 503)
    }
  )
})
