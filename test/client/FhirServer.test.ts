import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fixtures } from "../support/Collection.ts"
import { conditionServer, hasSeen, recorded, serve } from "./Upstream.ts"

describe("FhirServer", () => {
  const ask = (url: string, init?: RequestInit) =>
    Effect.promise(async () => {
      const response = await fetch(url, { headers: { authorization: "bearer x" }, ...init })
      return { status: response.status, headers: response.headers, body: await response.json() as any }
    })

  it.effect("refuses unknown patients, paths and credentials with an OperationOutcome", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(fixtures)
      const known = `${baseUrl}/Condition?patient=va-mock-986297`
      for (
        const [status, url, init] of [
          [401, known, { headers: {} }],
          [401, known, { headers: { authorization: "Basic eDp5" } }],
          [404, `${baseUrl}/Condition?patient=nobody`],
          [404, `${baseUrl}/Condition?patient=..`],
          [404, `${baseUrl}/Condition?patient=LICENSES`],
          [404, `${baseUrl}/Condition/1`],
          [404, `${baseUrl}/metadata`],
          [404, baseUrl],
          [404, known, { method: "POST", headers: { authorization: "Bearer x" } }],
          [400, `${baseUrl}/Condition`],
          [400, `${known}&_count=0`],
          [400, `${known}&page=x`]
        ] as const
      ) {
        const answer = yield* ask(url, init)
        assert.strictEqual(answer.status, status, url)
        assert.strictEqual(answer.body.resourceType, "OperationOutcome")
      }
    }))

  it.effect("serves pages of the requested size, with total and links", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(fixtures)
      const url = `${baseUrl}/Observation?patient=va-florentino8-raynor401&_count=20`
      const { body, headers } = yield* ask(url)
      assert.strictEqual(headers.get("content-type"), "application/fhir+json; charset=utf-8")
      assert.deepStrictEqual([body.type, body.total, body.entry.length], ["searchset", 76, 20])
      assert.deepStrictEqual(body.link[1], { relation: "next", url: `${url}&page=2` })
      const second = yield* ask(body.link[1].url)
      assert.deepStrictEqual([second.body.total, second.body.entry.length, second.body.link.length], [76, 10, 1])
    }))

  it.effect("plays a script in order and then serves pages again", () =>
    Effect.gen(function*() {
      const server = yield* conditionServer(150, { page: 2, times: 1, answer: { status: 500, body: {} } }, {
        times: 2,
        answer: { status: 429, headers: { "retry-after": "30", "content-type": "text/plain" }, body: "\"slow\"" }
      })
      const url = `${server.baseUrl}/Condition?patient=veteran`
      const statuses: Array<number> = []
      for (const page of [2, 2, 1, 1, 2]) statuses.push((yield* ask(`${url}&page=${page}`)).status)
      assert.deepStrictEqual(statuses, [500, 429, 429, 200, 200])
      yield* server.script("Condition", [{ answer: { status: 429, headers: { "retry-after": "30" }, body: "1" } }])
      assert.strictEqual((yield* ask(url)).headers.get("retry-after"), "30")
      yield* server.script("Condition", [])
      assert.strictEqual((yield* ask(url)).status, 200)
    }))

  it.effect("replays a recorded answer with its headers and the text of its body", () =>
    Effect.gen(function*() {
      const server = yield* conditionServer(0, { answer: yield* recorded("502-show-errors-502_response.json") })
      const { body, headers, status } = yield* ask(`${server.baseUrl}/Condition?patient=veteran`)
      assert.strictEqual(status, 502)
      assert.strictEqual(body.detail, "Bad Gateway")
      assert.strictEqual(headers.get("ratelimit-reset"), "25")
    }))

  it.effect("sends half of the page before it cuts the connection", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* conditionServer(10, { answer: "cut" })
      const received = yield* Effect.promise(async () => {
        const response = await fetch(`${baseUrl}/Condition?patient=veteran`, { headers: { authorization: "Bearer x" } })
        let bytes = 0
        const broke = await (async () => {
          for await (const chunk of response.body!) bytes += chunk.length
        })().then(() => false, () => true)
        return { broke, bytes, promised: Number(response.headers.get("content-length")) }
      })
      assert.isTrue(received.broke)
      assert.strictEqual(received.bytes, received.promised >> 1)
    }))

  it.effect("stops although clients still wait for an answer", () =>
    Effect.scoped(Effect.gen(function*() {
      const server = yield* conditionServer(1, { answer: "hang" })
      void fetch(`${server.baseUrl}/Condition?patient=veteran`).catch(() => undefined)
      yield* hasSeen(server, 1)
    })))
})
