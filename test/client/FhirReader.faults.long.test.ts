import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Queue } from "effect"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ReadProgress } from "../../src/client/FhirReader.ts"
import type { Fault } from "../../src/client/FhirServer.ts"
import { fixtures } from "../support/Collection.ts"
import {
  bundle,
  condition,
  conditions,
  conditionServer,
  describeReader,
  entry,
  eventually,
  hasSeen,
  ok,
  patient,
  read,
  readConditions,
  recorded,
  requestCount,
  serve
} from "./Upstream.ts"

const quiet = TestClock.withLive(Effect.sleep("40 millis"))

describeReader((reader) => {
  describe("A failed request", () => {
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
    it.effect.each(answers)(
      "makes a type unavailable on the first page and partial on a later page: %s",
      ([, makeAnswer]) =>
        Effect.gen(function*() {
          const answer = yield* makeAnswer
          const onFirst = yield* readConditions(yield* conditionServer(250, { page: 1, answer }))
          assert.deepStrictEqual(onFirst, { resourceType: "Condition", status: "unavailable", resources: [] })
          const server = yield* conditionServer(250, { page: 2, answer })
          const onSecond = yield* readConditions(server)
          assert.deepStrictEqual(onSecond, { resourceType: "Condition", status: "partial", resources: conditions(100) })
          assert.strictEqual(yield* requestCount(server), 2)
        }).pipe(reader)
    )

    it.effect("makes a type unavailable if no server listens", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Effect.scoped(conditionServer(1))
        assert.strictEqual((yield* readConditions({ baseUrl })).status, "unavailable")
      }).pipe(reader))

    it.effect("does not affect the other types", () =>
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

    it.effect("is reported with a reason that contains neither the patient's id nor text of an answer", () =>
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

  describe("FhirReader", () => {
    it.effect("gives up a request after 30 seconds", () =>
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

    it.effect("closes the connection if a body never ends", () =>
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
          const fiber = yield* Effect.forkChild(readConditions({ baseUrl }))
          yield* Effect.promise(() => once(node, "request"))
          yield* quiet
          if (status === 200) yield* TestClock.adjust("30 seconds")
          assert.strictEqual((yield* Fiber.join(fiber)).status, "unavailable")
          yield* eventually(Effect.sync(() => closed))
        }
      }).pipe(reader))

    it.effect("waits 30 seconds after an answer of 429 and retries twice", () =>
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

    it.effect("retries each page up to twice, even after retries of an earlier page", () =>
      Effect.gen(function*() {
        const answer = yield* recorded("429-token-endpoint-empty-body.json")
        for (const [onSecond, expected] of [[2, ["complete", 150]], [3, ["partial", 100]]] as const) {
          const server = yield* conditionServer(150, { page: 1, times: 2, answer }, {
            page: 2,
            times: onSecond,
            answer
          })
          const type = yield* readConditions(server, {
            // Runs in a separate fiber, because the reader sleeps only after this callback returns.
            onProgress: (event) =>
              event._tag === "Waiting"
                ? Effect.asVoid(Effect.forkDetach(Effect.andThen(quiet, TestClock.adjust("30 seconds"))))
                : Effect.void
          })
          assert.deepStrictEqual([type.status, type.resources.length], [...expected])
          assert.strictEqual(yield* requestCount(server), 6)
        }
      }).pipe(reader))

    it.effect("reads two types at the same time by default", () =>
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
})
