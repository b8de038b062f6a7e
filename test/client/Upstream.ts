import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { FhirReader, type ReadOptions } from "../../src/client/FhirReader.ts"
import { type Answer, type Fault, FhirServer, recordedAnswer } from "../../src/client/FhirServer.ts"
import { fixtures } from "../support/Collection.ts"

export const recorded = (file: string) => recordedAnswer(join(fixtures, "upstream-answers", file))

/** Makes a folder with one patient, `veteran`. `types` gives the JSON of the patient's resources by type. */
export const patient = (types: Record<string, ReadonlyArray<string>>) =>
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

export const condition = (id: string) => `{"resourceType":"Condition","id":"${id}"}`

export const conditions = (count: number) => Array.from({ length: count }, (_, index) => condition(`c${index + 1}`))

export const serve = (folder: string) =>
  Effect.map(Layer.build(FhirServer.layer({ folder })), (context) => Context.get(context, FhirServer))

/** Starts a server with `count` conditions. `faults` is its script for requests of Condition. */
export const conditionServer = Effect.fnUntraced(function*(count: number, ...faults: ReadonlyArray<Fault>) {
  const server = yield* serve(yield* patient({ Condition: conditions(count) }))
  yield* server.script("Condition", faults)
  return server
})

type Server = FhirServer["Service"]

type Target = Pick<Server, "baseUrl">

const token = Redacted.make("upstream-token")

export const read = ({ baseUrl }: Target, patientId: string, types: ReadonlyArray<string>, options?: ReadOptions) =>
  FhirReader.use((reader) => reader.read({ baseUrl, token, patientId }, types, options))

export const readConditions = (server: Target, options?: ReadOptions) =>
  Effect.map(read(server, "veteran", ["Condition"], options), ([type]) => type!)

export const bundle = (entries: ReadonlyArray<string>, { next, total }: { total?: number; next?: string } = {}) =>
  `{"resourceType":"Bundle","type":"searchset","total":${total ?? entries.length},"link":[${
    next === undefined ? "" : JSON.stringify({ relation: "next", url: next })
  }],"entry":[${entries.join(",")}]}`

export const entry = (resource: string) => `{"resource":${resource}}`

export const ok = (body: unknown): Answer => ({ status: 200, body })

/** Waits in real time: requests need real time even under a test clock. */
export const eventually = (condition: Effect.Effect<boolean>) =>
  condition.pipe(
    Effect.repeat({ until: (met) => met, schedule: Schedule.spaced("5 millis") }),
    TestClock.withLive,
    Effect.asVoid
  )

export const requestCount = ({ requests }: Server) => Effect.map(requests, ({ length }) => length)

export const hasSeen = (server: Server, requests: number) =>
  eventually(Effect.map(requestCount(server), (count) => count >= requests))

const providing = (client: typeof FetchHttpClient.layer) => Effect.provide(FhirReader.layer.pipe(Layer.provide(client)))

/** Runs `tests` with each HTTP client that FhirReader supports. Their parameter `reader` provides the FhirReader. */
export const describeReader = (tests: (reader: ReturnType<typeof providing>, place: number) => void) =>
  describe.each([
    { place: 0, name: "fetch", client: FetchHttpClient.layer },
    { place: 1, name: "undici", client: NodeHttpClient.layerUndici },
    { place: 2, name: "node:http", client: NodeHttpClient.layerNodeHttp }
  ])("FhirReader over $name", ({ client, place }) => tests(providing(client), place))
