import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { bundle, conditionServer, entry, ok } from "../../../client/Upstream.ts"
import { openGround, update } from "./Ground.ts"

const { arrive, states, storedTexts } = await openGround()

/** A FHIR server that answers as it likes. */
const upstream = (handle: (request: IncomingMessage, response: ServerResponse, base: string) => void) =>
  Effect.gen(function*() {
    // Node closes a connection that is idle for five seconds, and a large page may take longer to be read. The next
    // request may then meet the end of its connection. A browser would send it again, but Node's fetch does not.
    const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => handle(request, response, base))
    yield* Effect.acquireRelease(
      Effect.promise(() => once(server.listen(0, "localhost"), "listening")),
      () => Effect.sync(() => server.close().closeAllConnections())
    )
    const base = `http://localhost:${(server.address() as AddressInfo).port}`
    return { baseUrl: base }
  })

const condition = (id: string, patient = "veteran") =>
  `{"resourceType":"Condition","id":"${id}","subject":{"reference":"Patient/${patient}"}}`

describe("An update from a hostile server", () => {
  it.effect("ends after 1,000 pages that have no end", () =>
    Effect.gen(function*() {
      let pages = 0
      const server = yield* upstream((_, response, base) => {
        pages++
        const next = `${base}/Condition?page=${pages}`
        response.end(bundle([entry(condition(`c${pages}`))], { total: 1, next }))
      })
      const here = { ...yield* arrive, server }
      const begun = yield* update(here, ["Condition"])
      assert.strictEqual(pages, 1000)
      assert.deepInclude(begun.kinds().get("Condition"), { step: "partial", count: 1000, cause: "large" })
      assert.deepStrictEqual(yield* states(here), { Condition: ["partial", "partial"] })
    }))

  it.effect("reads at most 32 MiB of a page, and gives up a kind of more than 60 MiB", () =>
    Effect.gen(function*() {
      let sent = 0
      const closed = Promise.withResolvers<void>()
      const endless = yield* upstream((_, response) => {
        const piece = Buffer.alloc(1024 * 1024, " ")
        const more = () => {
          while (!response.destroyed && response.write(piece)) sent += piece.length
        }
        response.on("drain", more).on("close", () => closed.resolve())
        more()
      })
      const first = yield* update({ ...yield* arrive, server: endless }, ["Condition"])
      yield* Effect.promise(() => closed.promise)
      assert.deepInclude(first.kinds().get("Condition"), { step: "unavailable", cause: "large" })
      // What the sockets held is counted too.
      assert.isBelow(sent, 48 * 1024 * 1024)

      const large = JSON.stringify({ resourceType: "Condition", id: "ID", x: "-".repeat(15e6) })
      let pages = 0
      const huge = yield* upstream((_, response, base) => {
        const page = ++pages
        const next = `${base}/Condition?page=${page}`
        response.end(bundle([entry(large.replace("ID", `c${page}`))], { total: 1, next }))
      })
      const here = { ...yield* arrive, server: huge }
      const second = yield* update(here, ["Condition"])
      assert.deepInclude(second.kinds().get("Condition"), { step: "partial", count: 4, cause: "large" })
      assert.strictEqual(pages, 5)
      assert.strictEqual((yield* storedTexts(here)).length, 4)
    }))

  it.effect("stores nothing of a page that is not UTF-8, and sends no name of a kind that it did not ask for", () =>
    Effect.gen(function*() {
      const page = bundle([entry(condition("a").replace("}}", "},\"x\":\"é\"}")), entry("{\"resourceType\":\"Goal\"}")])
      const here = {
        ...yield* arrive,
        server: yield* conditionServer(0, { answer: ok(Buffer.from(page, "latin1")) })
      }
      const begun = yield* update(here, ["Condition"])
      assert.deepInclude(begun.kinds().get("Condition"), { step: "unavailable", cause: "unreadable" })
      assert.deepStrictEqual([yield* storedTexts(here), yield* states(here)], [
        [],
        { Condition: ["unknown", "unavailable"] }
      ])
    }))
})
