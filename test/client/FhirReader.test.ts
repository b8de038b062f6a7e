import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Option, Queue, Redacted, Schedule, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync, gzipSync } from "node:zlib"
import { parseSearchPage } from "../../src/client/FhirBundle.ts"
import { FhirReader, type ReadOptions, ReadProgress } from "../../src/client/FhirReader.ts"
import { type Answer, type Fault, FhirServer, recordedAnswer } from "../../src/client/FhirServer.ts"

const fixtures = fileURLToPath(new URL("../fixtures/fhir", import.meta.url))
const shared = fileURLToPath(new URL("../../../shared/fhir", import.meta.url))

const recorded = (file: string) => recordedAnswer(join(fixtures, "upstream-answers", file))

/** A folder with one patient, `veteran`, whose resources are given per type. */
const patient = (types: Record<string, ReadonlyArray<string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = await Fs.mkdtemp(join(tmpdir(), "fhir-server-"))
      await Fs.mkdir(join(folder, "veteran"))
      await Fs.writeFile(join(folder, "veteran", "patient.json"), "{}")
      for (const [type, lines] of Object.entries(types)) {
        await Fs.writeFile(join(folder, "veteran", `${type}.ndjson.gz`), gzipSync(lines.join("\n")))
      }
      return folder
    }),
    (folder) => Effect.promise(() => Fs.rm(folder, { recursive: true }))
  )

const condition = (id: string) => `{"resourceType":"Condition","id":"${id}"}`
const conditions = (count: number) => Array.from({ length: count }, (_, index) => condition(`c${index + 1}`))

const serve = (folder: string) =>
  Effect.map(Layer.build(FhirServer.layer({ folder })), (context) => Context.get(context, FhirServer))

/** A server over `conditions(count)` with a script for Condition. */
const conditionServer = Effect.fnUntraced(function*(count: number, ...faults: ReadonlyArray<Fault>) {
  const server = yield* serve(yield* patient({ Condition: conditions(count) }))
  yield* server.script("Condition", faults)
  return server
})

type Server = FhirServer["Service"]
const token = Redacted.make("upstream-token")

const read = ({ baseUrl }: Server, patientId: string, types: ReadonlyArray<string>, options?: ReadOptions) =>
  FhirReader.use((reader) => reader.read({ baseUrl, token, patientId }, types, options))

const readConditions = (server: Server, options?: ReadOptions) =>
  Effect.map(read(server, "veteran", ["Condition"], options), ([type]) => type!)

const bundle = (entries: ReadonlyArray<string>, { next, total }: { total?: number; next?: string } = {}) =>
  `{"resourceType":"Bundle","type":"searchset","total":${total ?? entries.length},"link":[${
    next === undefined ? "" : JSON.stringify({ relation: "next", url: next })
  }],"entry":[${entries.join(",")}]}`
const entry = (resource: string) => `{"resource":${resource}}`
const ok = (body: unknown): Answer => ({ status: 200, body })

/** Requests take real time, under whatever clock. */
const eventually = (condition: Effect.Effect<boolean>) =>
  condition.pipe(
    Effect.repeat({ until: (met) => met, schedule: Schedule.spaced("5 millis") }),
    TestClock.withLive,
    Effect.asVoid
  )
const requestCount = ({ requests }: Server) => Effect.map(requests, ({ length }) => length)
const hasSeen = (server: Server, requests: number) =>
  eventually(Effect.map(requestCount(server), (count) => count >= requests))
const quiet = TestClock.withLive(Effect.sleep("40 millis"))

/** What a patient's folder says that a fetch of each type must answer. */
const expectedOf = (folder: string) => {
  const description: {
    readonly counts: Record<string, number>
    readonly upstream?: Record<string, { readonly received: number; readonly upstreamTotal: number | null }>
    readonly missingTypes?: ReadonlyArray<string>
  } = JSON.parse(readFileSync(join(folder, "patient.json"), "utf8"))
  const { counts, missingTypes = [], upstream = {} } = description
  return [...new Set([...Object.keys(counts), ...Object.keys(upstream), ...missingTypes])].map((resourceType) => {
    const file = join(folder, `${resourceType}.ndjson.gz`)
    const lines = existsSync(file) ? gunzipSync(readFileSync(file)).toString().split("\n").filter((line) => line) : []
    const { received = lines.length, upstreamTotal = lines.length } = upstream[resourceType] ?? {}
    const status = missingTypes.includes(resourceType)
      ? "unavailable"
      : received < (upstreamTotal ?? 0)
      ? "partial"
      : received === 0
      ? "empty"
      : "complete"
    return { resourceType, status, resources: [...new Map(lines.map((line) => [JSON.parse(line).id, line])).values()] }
  })
}

const patientsIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((slug) => existsSync(join(folder, slug, "patient.json"))) : []

describe.each([
  { name: "fetch", client: FetchHttpClient.layer },
  { name: "undici", client: NodeHttpClient.layerUndici },
  { name: "node:http", client: NodeHttpClient.layerNodeHttp }
])("FhirReader over $name", ({ client }) => {
  const reader = Effect.provide(FhirReader.layer.pipe(Layer.provide(client)))

  describe("patients", () => {
    for (const folder of [fixtures, shared]) {
      for (const slug of patientsIn(folder)) {
        it.effect(`${folder === shared ? "shared " : ""}${slug}`, () =>
          Effect.gen(function*() {
            const server = yield* serve(folder)
            const expected = expectedOf(join(folder, slug))
            const types = yield* read(server, slug, expected.map(({ resourceType }) => resourceType))
            assert.deepStrictEqual(types, expected as never)
          }).pipe(reader))
      }
    }

    it.effect("a type that the patient has not is empty", () =>
      Effect.gen(function*() {
        const [type] = yield* read(yield* serve(fixtures), "va-mock-986297", ["Procedure"])
        assert.deepStrictEqual(type, { resourceType: "Procedure", status: "empty", resources: [] })
      }).pipe(reader))

    it.effect("an unknown patient's types are unavailable", () =>
      Effect.gen(function*() {
        const types = yield* read(yield* serve(fixtures), "nobody", ["Condition", "Observation"])
        assert.deepStrictEqual(types.map(({ status }) => status), ["unavailable", "unavailable"])
      }).pipe(reader))
  })

  describe("exact text", () => {
    it.effect("keeps every digit and space of a resource", () =>
      Effect.gen(function*() {
        const text = gunzipSync(readFileSync(join(fixtures, "awkward/obs-decimal.json.gz"))).toString().trim()
        assert.include(text, "-1.000000000000000000E+245")
        const server = yield* serve(fixtures)
        yield* server.script("Observation", [{ answer: ok(`\ufeff ${bundle([entry(text)])}\n`) }])
        const [type] = yield* read(server, "va-mock-986297", ["Observation"])
        assert.deepStrictEqual(type, { resourceType: "Observation", status: "complete", resources: [text] })
      }).pipe(reader))

    it.effect("keeps the text of a recorded page", () =>
      Effect.gen(function*() {
        const server = yield* serve(fixtures)
        const answer = yield* recorded("200-page-1-of-2-Observation-sheba.json.gz")
        yield* server.script("Observation", [{ answer }])
        const [type] = yield* read(server, "va-mock-986297", ["Observation"])
        // Its next page is at sandbox-api.va.gov.
        assert.strictEqual(type!.status, "partial")
        assert.lengthOf(type!.resources, 100)
        for (const resource of type!.resources) assert.include(answer.body as string, resource)
      }).pipe(reader))
  })

  describe("pages", () => {
    it.effect("follows next links, tells progress and sends the token with each request", () =>
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

    it.effect("resolves a relative next link and keeps its spelling", () =>
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

    it.effect("never asks another origin", () =>
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

    it.effect("ends a loop as partial", () =>
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

    it.effect("ends at the page cap as partial, and not when the last page is the cap", () =>
      Effect.gen(function*() {
        const server = yield* conditionServer(201)
        const capped = yield* readConditions(server, { maxPages: 2 })
        assert.deepStrictEqual([capped.status, capped.resources.length], ["partial", 200])
        assert.strictEqual(yield* requestCount(server), 2)
        assert.strictEqual((yield* readConditions(server, { maxPages: 3 })).status, "complete")
      }).pipe(reader))

    it.effect("takes the type as it is counted by Bundle.total", () =>
      Effect.gen(function*() {
        const a = entry(condition("a"))
        const included = `{"resource":${condition("b")},"search":{"mode":"include"}}`
        for (
          const [body, status] of [
            [bundle([a], { total: 2 }), "partial"],
            [bundle([a, a], { total: 2 }), "complete"],
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

    it.effect("believes the largest total of all pages", () =>
      Effect.gen(function*() {
        const server = yield* conditionServer(
          0,
          { times: 1, answer: ok(bundle([entry(condition("a"))], { total: 3, next: "?page=2" })) },
          { answer: ok(bundle([entry(condition("b"))], { total: 2 })) }
        )
        assert.strictEqual((yield* readConditions(server)).status, "partial")
      }).pipe(reader))
  })

  describe("failures", () => {
    const first = bundle([entry(condition("a"))])
    const answers: ReadonlyArray<readonly [string, Effect.Effect<Fault["answer"]>]> = [
      ["a recorded 401", recorded("401-show-errors-401_invalid_token.json")],
      ["a recorded 403", recorded("403-show-errors-403_response.json")],
      ["a recorded 404", recorded("404-Location-OperationOutcome.json")],
      ["a recorded 500", recorded("500-fhir-patient-search_500.json")],
      ["a recorded 502", recorded("502-show-errors-502_response.json")],
      ["a connection cut in the body", Effect.succeed("cut")],
      ["503 without a body", Effect.succeed({ status: 503 })],
      ["an error status with a good page", Effect.succeed({ status: 500, body: first })],
      ["204", Effect.succeed({ status: 204 })],
      ["206 with a good page", Effect.succeed({ status: 206, body: first })],
      ...[
        "",
        "<html></html>",
        first.slice(0, -1),
        `${first}}`,
        first.replace("\"total\":1", "\"total\":01"),
        "[]",
        "null",
        condition("a"),
        "{\"resourceType\":\"OperationOutcome\",\"issue\":[]}",
        "{\"resourceType\":\"Bundle\"}",
        first.replace("searchset", "history"),
        first.replace("Bundle", "Parameters"),
        first.replace("\"total\":1", "\"total\":-1"),
        first.replace("\"total\":1", "\"total\":1.5"),
        first.replace("\"link\":[]", "\"link\":{}"),
        "{\"resourceType\":\"Bundle\",\"type\":\"searchset\",\"entry\":{}}"
      ].map((body) => [`200 with ${body}`, Effect.succeed(ok(body))] as const),
      ["200 that is not UTF-8", Effect.succeed(ok(Buffer.from(first.replace("\"a\"", "\"a\",\"x\":\"é\""), "latin1")))]
    ]
    it.effect.each(answers)("%s", ([, makeAnswer]) =>
      Effect.gen(function*() {
        const answer = yield* makeAnswer
        const onFirst = yield* readConditions(yield* conditionServer(250, { page: 1, answer }))
        assert.deepStrictEqual(onFirst, { resourceType: "Condition", status: "unavailable", resources: [] })
        const server = yield* conditionServer(250, { page: 2, answer })
        const onSecond = yield* readConditions(server)
        assert.deepStrictEqual(onSecond, { resourceType: "Condition", status: "partial", resources: conditions(100) })
        assert.strictEqual(yield* requestCount(server), 2)
      }).pipe(reader))

    it.effect("nobody listens", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Effect.scoped(conditionServer(1))
        const [type] = yield* FhirReader.use((reader) =>
          reader.read({ baseUrl, token, patientId: "veteran" }, ["Condition"])
        )
        assert.strictEqual(type!.status, "unavailable")
      }).pipe(reader))

    it.effect("one type's failure is no other's", () =>
      Effect.gen(function*() {
        const server = yield* serve(fixtures)
        yield* server.script("Condition", [{ answer: { status: 401 } }])
        const types = yield* read(server, "va-mock-986297", ["Condition", "MedicationRequest", "Observation"])
        assert.deepStrictEqual(types.map(({ resources, status }) => [status, resources.length]), [
          ["unavailable", 0],
          ["complete", 10],
          ["complete", 8]
        ])
      }).pipe(reader))

    it.effect("a reason holds neither the patient's id nor an answer's text", () =>
      Effect.gen(function*() {
        const reasons: Array<string | undefined> = []
        for (const answer of ["cut", ok("secret"), { status: 500, body: "secret" }] as const) {
          yield* readConditions(yield* conditionServer(1, { answer }), {
            onProgress: (event) => Effect.sync(() => event._tag === "Done" && reasons.push(event.reason))
          })
        }
        assert.deepStrictEqual(reasons, [
          "page 1: the connection failed",
          "page 1: the answer is no FHIR search page",
          "page 1: HTTP status 500"
        ])
      }).pipe(reader))
  })

  describe("time", () => {
    it.effect("a request ends after 30 seconds", () =>
      Effect.gen(function*() {
        for (const page of [1, 2]) {
          const server = yield* conditionServer(150, { page, answer: "hang" })
          const fiber = yield* Effect.forkChild(readConditions(server))
          yield* hasSeen(server, page)
          yield* TestClock.adjust("29 seconds")
          yield* quiet
          assert.isUndefined(fiber.pollUnsafe())
          yield* TestClock.adjust("1 second")
          const type = yield* Fiber.join(fiber)
          assert.deepStrictEqual(
            [type.status, type.resources.length],
            page === 1 ? ["unavailable", 0] : ["partial", 100]
          )
        }
      }).pipe(reader))

    it.effect("a body that never ends holds no connection", () =>
      Effect.gen(function*() {
        for (const status of [200, 500]) {
          let closed = false
          const node = createServer((request, response) => {
            request.socket.on("close", () => closed = true)
            response.writeHead(status, { "content-type": "application/fhir+json" })
            response.write("{\"resourceType\":")
          })
          yield* Effect.acquireRelease(
            Effect.promise(() => once(node.listen(0, "127.0.0.1"), "listening")),
            () => Effect.sync(() => node.close().closeAllConnections())
          )
          const baseUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
          const fiber = yield* Effect.forkChild(
            FhirReader.use((reader) => reader.read({ baseUrl, token, patientId: "veteran" }, ["Condition"]))
          )
          yield* Effect.promise(() => once(node, "request"))
          yield* quiet
          if (status === 200) yield* TestClock.adjust("30 seconds")
          assert.strictEqual((yield* Fiber.join(fiber))[0]!.status, "unavailable")
          yield* eventually(Effect.sync(() => closed))
        }
      }).pipe(reader))

    it.effect("429 is waited for 30 seconds and tried twice more", () =>
      Effect.gen(function*() {
        const answer = yield* recorded("429-forms-submission_statuses-429_invalid.json")
        for (
          const [times, status] of [[1, "complete"], [2, "complete"], [3, "unavailable"]] as const
        ) {
          const server = yield* conditionServer(1, { times, answer })
          const waiting = yield* Queue.unbounded<ReadProgress>()
          const fiber = yield* Effect.forkChild(
            readConditions(server, { onProgress: (event) => Queue.offer(waiting, event) })
          )
          for (let retry = 1; retry <= Math.min(times, 2); retry++) {
            assert.deepStrictEqual(
              yield* Queue.take(waiting),
              ReadProgress.Waiting({ resourceType: "Condition", page: 1, seconds: 30 })
            )
            yield* TestClock.adjust("29 seconds")
            yield* quiet
            assert.strictEqual(yield* requestCount(server), retry)
            yield* TestClock.adjust("1 second")
            yield* hasSeen(server, retry + 1)
          }
          assert.strictEqual((yield* Fiber.join(fiber)).status, status)
          assert.strictEqual(yield* requestCount(server), Math.min(times, 2) + 1)
        }
      }).pipe(reader))

    it.effect("each page has its own two retries", () =>
      Effect.gen(function*() {
        const answer = yield* recorded("429-token-endpoint-empty-body.json")
        for (const [onSecond, expected] of [[2, ["complete", 150]], [3, ["partial", 100]]] as const) {
          const server = yield* conditionServer(150, { page: 1, times: 2, answer }, {
            page: 2,
            times: onSecond,
            answer
          })
          const type = yield* readConditions(server, {
            // In a fiber of its own: the reader sleeps only after this returns.
            onProgress: (event) =>
              event._tag === "Waiting"
                ? Effect.asVoid(Effect.forkDetach(Effect.andThen(quiet, TestClock.adjust("30 seconds"))))
                : Effect.void
          })
          assert.deepStrictEqual([type.status, type.resources.length], [...expected])
          assert.strictEqual(yield* requestCount(server), 6)
        }
      }).pipe(reader))

    it.effect("two types are read at the same time unless told", () =>
      Effect.gen(function*() {
        const types = ["Condition", "Observation", "Procedure", "Encounter", "Immunization"]
        for (const [concurrency, expected] of [[undefined, 2], [1, 1], [4, 4]] as const) {
          const server = yield* serve(yield* patient({}))
          for (const type of types) yield* server.script(type, [{ answer: "hang" }])
          const fiber = yield* Effect.forkChild(read(server, "veteran", types, { concurrency }))
          yield* hasSeen(server, expected)
          yield* quiet
          assert.strictEqual(yield* requestCount(server), expected)
          yield* Fiber.interrupt(fiber)
        }
      }).pipe(reader))
  })

  describe("entries that cannot be synchronised", () => {
    const nested = (levels: number) =>
      `{"resourceType":"Condition","id":"n","x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`
    it.effect.each(
      [
        `{"resource":{"resourceType":"OperationOutcome","id":"o","issue":[]},"search":{"mode":"outcome"}}`,
        `{"resource":{"resourceType":"OperationOutcome","issue":[]}}`,
        `{"resource":${condition("o")},"search":{"mode":"outcome"}}`,
        entry(`{"resourceType":"Patient","id":"p"}`),
        entry(`{"resourceType":"Condition"}`),
        entry(`{"resourceType":"Condition","id":7}`),
        entry(condition("")),
        entry(condition("a/b")),
        entry(condition("a\\n")),
        entry(condition("a".repeat(65))),
        entry(`{"resourceType":"Condition","id":"z","note":"\\u0000"}`),
        entry(`{"resourceType":"Condition","id":"z","note":"\\ud800"}`),
        entry(`{"resourceType":"Condition","id":"z","\\udc00":1}`),
        entry(nested(62)),
        `{"fullUrl":"urn:uuid:1"}`,
        `{"resource":null}`,
        "null",
        "7"
      ].map((text) => [text] as const)
    )("%s", ([text]) =>
      Effect.gen(function*() {
        const entries = [entry(condition("a")), text, entry(condition("b"))]
        const type = yield* readConditions(yield* conditionServer(0, { answer: ok(bundle(entries)) }))
        assert.deepStrictEqual(type, {
          resourceType: "Condition",
          status: "partial",
          resources: [condition("a"), condition("b")]
        })
        const alone = yield* readConditions(yield* conditionServer(0, { answer: ok(bundle([text])) }))
        assert.deepStrictEqual(alone, { resourceType: "Condition", status: "partial", resources: [] })
      }).pipe(reader))

    it.effect("what is just within the bounds is kept", () =>
      Effect.gen(function*() {
        const kept = [
          condition("A-z.9".padEnd(64, "9")),
          nested(61),
          `{"id":"u","note":"\\\\u0000 \\ud83d\\ude00 😀","resourceType":"Condition"}`
        ]
        const answer = ok(bundle(kept.map(entry)))
        const type = yield* readConditions(yield* conditionServer(0, { answer }))
        assert.deepStrictEqual(type, { resourceType: "Condition", status: "complete", resources: kept })
      }).pipe(reader))

    it.effect("of two entries with one id the last wins", () =>
      Effect.gen(function*() {
        const last = `{"resourceType":"Condition","id":"c1","note":"last"}`
        const server = yield* conditionServer(0, {
          answer: ok(bundle([condition("c1"), condition("c2"), last].map(entry)))
        })
        const type = yield* readConditions(server)
        assert.deepStrictEqual(type, {
          resourceType: "Condition",
          status: "complete",
          resources: [last, condition("c2")]
        })
      }).pipe(reader))
  })
})

describe("parseSearchPage", () => {
  const Json = Schema.Json
  const spaces = ["", " ", "\n\t", " \r\n "]
  const space = (seed: number) => spaces[seed % spaces.length]!

  it.effect.prop(
    "cuts each resource out of any text",
    {
      members: Schema.Array(Schema.Record(Schema.String, Json)),
      seed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
    },
    ({ members, seed }) =>
      Effect.sync(() => {
        const resources = members.map((member, index) => {
          const { id: _id, resourceType: _type, ...rest } = member
          const text = JSON.stringify({ ...rest, id: `r${index}`, resourceType: "Condition" }, null, space(seed))
          return text.isWellFormed() ? text : JSON.stringify({ id: `r${index}`, resourceType: "Condition" })
        })
        const s = space(seed + 1)
        const entries = resources.map((text) =>
          `${s}{"link":[{"resource":"]}"}]${s},"resource"${s}:${s}${text}${s},"search"${s}:{"mode":"match"}}${s}`
        )
        const text = `${s}{"entry":[{"resource":1}],"resourceType":"Bundle","type":"searchset",` +
          `"\\u0065ntry"${s}:${s}[${entries.join(",")}],"total":${resources.length},"extra":"\\\\\\"]}"}${s}`
        const page = Option.getOrThrow(parseSearchPage(text, "Condition"))
        const kept = resources.filter((resource) => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(resource))
        assert.deepStrictEqual(page.resources.map((resource) => resource.text), kept)
        assert.strictEqual(page.leftOut, resources.length - kept.length)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect("finds values of every kind around the resources", () =>
    Effect.sync(() => {
      const scalars =
        `"a":1.00,"b":-1.000000000000000000000000000000000000E+245 ,"c":true,"d":null,"e":"\\\\","f":"\\"}","g":[],"h":{}`
      const resource = `{${scalars},"id":"a","resourceType":"Condition","z":1}`
      const text =
        `{${scalars},"resourceType":"Bundle","type":"searchset","entry":[{${scalars},"resource":${resource},"i":2}],"j":3}`
      const page = Option.getOrThrow(parseSearchPage(text, "Condition"))
      assert.deepStrictEqual(page.resources, [{ id: "a", text: resource }])
    }))

  it.effect("reads what JSON.parse reads of members with one name: the last", () =>
    Effect.sync(() => {
      const text = `{"resourceType":"Bundle","type":"searchset","entry":[{"resource":${
        condition("a")
      }}],"entry":[{"resource":${condition("b")},"resource":${condition("c")}}]}`
      assert.deepStrictEqual(Option.getOrThrow(parseSearchPage(text, "Condition")).resources, [
        { id: "c", text: condition("c") }
      ])
    }))
})

describe("FhirServer", () => {
  const ask = (url: string, init?: RequestInit) =>
    Effect.promise(async () => {
      const response = await fetch(url, { headers: { authorization: "bearer x" }, ...init })
      return { status: response.status, headers: response.headers, body: await response.json() as any }
    })

  it.effect("refuses what it does not serve with an OperationOutcome", () =>
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

  it.effect("serves pages of the size asked for, with total and links", () =>
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

  it.effect("plays a script in order and then serves again", () =>
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

  it.effect("sends half of the page before it cuts", () =>
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

  it.effect("ends though clients hang", () =>
    Effect.gen(function*() {
      const began = performance.now()
      yield* Effect.scoped(Effect.gen(function*() {
        const server = yield* conditionServer(1, { answer: "hang" })
        void fetch(`${server.baseUrl}/Condition?patient=veteran`).catch(() => undefined)
        yield* hasSeen(server, 1)
      }))
      assert.isBelow(performance.now() - began, 2000)
    }))
})
