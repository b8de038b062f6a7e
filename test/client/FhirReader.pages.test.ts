import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ReadProgress } from "../../src/client/FhirReader.ts"
import {
  bundle,
  condition,
  conditions,
  conditionServer,
  describeReader,
  entry,
  ok,
  readConditions,
  recorded,
  requestCount
} from "./Upstream.ts"

describeReader((reader) => {
  describe("FhirReader", () => {
    it.effect("follows next links, reports progress and sends the token with each request", () =>
      Effect.gen(function*() {
        const server = yield* conditionServer(201)
        const progress: Array<ReadProgress> = []
        const type = yield* readConditions(server, { onProgress: (event) => Effect.sync(() => progress.push(event)) })
        assert.deepStrictEqual(type, { resourceType: "Condition", status: "complete", resources: conditions(201) })
        const resourceType = "Condition"
        assert.deepStrictEqual(progress, [
          ReadProgress.Page({ resourceType, page: 1, resources: 100 }),
          ReadProgress.Page({ resourceType, page: 2, resources: 200 }),
          ReadProgress.Page({ resourceType, page: 3, resources: 201 }),
          ReadProgress.Done({ resourceType, status: "complete", resources: 201, reason: undefined })
        ])
        const requests = yield* server.requests
        assert.deepStrictEqual(requests.map(({ url }) => url), [
          "/fhir/Condition?patient=veteran&_count=100",
          "/fhir/Condition?patient=veteran&_count=100&page=2",
          "/fhir/Condition?patient=veteran&_count=100&page=3"
        ])
        assert.deepStrictEqual([...new Set(requests.map(({ authorization }) => authorization))], [
          "Bearer upstream-token"
        ])
      }).pipe(reader))

    it.effect("marks a type partial if rows shift between pages, so one row arrives twice and another never", () =>
      Effect.gen(function*() {
        const page = (ids: ReadonlyArray<string>, next?: string) =>
          ok(bundle(ids.map((id) => entry(condition(id))), { total: 4, ...(next === undefined ? {} : { next }) }))
        const server = yield* conditionServer(
          0,
          { times: 1, answer: page(["a", "b"], "?page=2") },
          { answer: page(["b", "c"]) }
        )
        const progress: Array<ReadProgress> = []
        const type = yield* readConditions(server, { onProgress: (event) => Effect.sync(() => progress.push(event)) })
        assert.deepStrictEqual([type.status, type.resources], ["partial", ["a", "b", "c"].map(condition)])
        assert.deepInclude(progress.at(-1), { status: "partial", reason: "3 of 4 arrived" })
      }).pipe(reader))

    it.effect("marks a type partial if an entry appears twice and the server states no total", () =>
      Effect.gen(function*() {
        const twice = bundle(["a", "b", "b"].map((id) => entry(condition(id)))).replace("\"total\":3,", "")
        const type = yield* readConditions(yield* conditionServer(0, { answer: ok(twice) }))
        assert.deepStrictEqual([type.status, type.resources], ["partial", ["a", "b"].map(condition)])
      }).pipe(reader))

    it.effect("resolves a relative next link without changing how its query is encoded", () =>
      Effect.gen(function*() {
        const server = yield* conditionServer(
          0,
          { times: 1, answer: ok(bundle([entry(condition("a"))], { total: 2, next: "?token=a%20b+c|d&page=2" })) },
          { answer: ok(bundle([entry(condition("b"))], { total: 2 })) }
        )
        const type = yield* readConditions({ ...server, baseUrl: `${server.baseUrl}/` })
        assert.deepStrictEqual(type.status, "complete")
        assert.deepStrictEqual(type.resources, [condition("a"), condition("b")])
        assert.strictEqual((yield* server.requests)[1]!.url, "/fhir/Condition?token=a%20b+c|d&page=2")
      }).pipe(reader))

    it.effect("sends no request to another origin", () =>
      Effect.gen(function*() {
        const other = yield* conditionServer(2)
        const next = `${other.baseUrl}/Condition?patient=veteran&page=2`
        for (
          const link of [next, next.replace("http:", ""), next.replace("//", "//127.0.0.1@"), "data:,x", "http://["]
        ) {
          const server = yield* conditionServer(0, {
            answer: ok(bundle([entry(condition("a"))], { total: 2, next: link }))
          })
          const type = yield* readConditions(server)
          assert.deepStrictEqual([type.status, type.resources], ["partial", [condition("a")]])
          assert.strictEqual(yield* requestCount(server), 1)
        }
        assert.strictEqual(yield* requestCount(other), 0)
      }).pipe(reader))

    it.effect("follows no redirect", () =>
      Effect.gen(function*() {
        const other = yield* conditionServer(2)
        const location = `${other.baseUrl}/Condition?patient=veteran`
        for (const status of [301, 302, 303, 307, 308]) {
          const server = yield* conditionServer(0, { answer: { status, headers: { location } } })
          assert.strictEqual((yield* readConditions(server)).status, "unavailable")
        }
        assert.strictEqual(yield* requestCount(other), 0)
      }).pipe(reader))

    it.effect("marks a type partial if its next links form a loop", () =>
      Effect.gen(function*() {
        const first = "?patient=veteran&_count=100"
        const server = yield* conditionServer(
          0,
          { page: 1, answer: ok(bundle([entry(condition("a"))], { next: `${first}&page=2` })) },
          { page: 2, answer: ok(bundle([entry(condition("b"))], { next: first })) }
        )
        const type = yield* readConditions(server)
        assert.deepStrictEqual([type.status, type.resources], ["partial", [condition("a"), condition("b")]])
        assert.strictEqual(yield* requestCount(server), 2)
      }).pipe(reader))

    it.effect("marks a type partial at the page limit, unless the page at the limit is the last", () =>
      Effect.gen(function*() {
        const server = yield* conditionServer(201)
        const capped = yield* readConditions(server, { maxPages: 2 })
        assert.deepStrictEqual([capped.status, capped.resources.length], ["partial", 200])
        assert.strictEqual(yield* requestCount(server), 2)
        assert.strictEqual((yield* readConditions(server, { maxPages: 3 })).status, "complete")
      }).pipe(reader))

    it.effect("marks a type complete when it has as many entries as Bundle.total states", () =>
      Effect.gen(function*() {
        const a = entry(condition("a"))
        const included = `{"resource":${condition("b")},"search":{"mode":"include"}}`
        for (
          const [body, status] of [
            [bundle([a], { total: 2 }), "partial"],
            [bundle([a, a], { total: 2 }), "partial"],
            [bundle([a, a], { total: 1 }), "complete"],
            [bundle([a, entry(condition("b"))], { total: 1 }), "complete"],
            [bundle([a, included], { total: 2 }), "partial"],
            [bundle([a, included], { total: 1 }), "complete"],
            [bundle([], { total: 1 }), "partial"],
            [bundle([]), "empty"],
            [{ resourceType: "Bundle", type: "searchset" }, "empty"],
            [{ resourceType: "Bundle", type: "searchset", total: null, link: null, entry: null }, "empty"],
            [{ resourceType: "Bundle", type: "searchset", entry: [JSON.parse(a)] }, "complete"]
          ] as const
        ) {
          const server = yield* conditionServer(0, { answer: ok(body) })
          assert.strictEqual((yield* readConditions(server)).status, status, JSON.stringify(body))
        }
        const empty = yield* recorded("200-empty-no-entry-no-link-Immunization.json")
        assert.strictEqual((yield* readConditions(yield* conditionServer(1, { answer: empty }))).status, "empty")
      }).pipe(reader))

    it.effect("uses the largest total that any page states", () =>
      Effect.gen(function*() {
        const server = yield* conditionServer(
          0,
          { times: 1, answer: ok(bundle([entry(condition("a"))], { total: 3, next: "?page=2" })) },
          { answer: ok(bundle([entry(condition("b"))], { total: 2 })) }
        )
        assert.strictEqual((yield* readConditions(server)).status, "partial")
      }).pipe(reader))
  })
})
