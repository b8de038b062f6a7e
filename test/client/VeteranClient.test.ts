import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, onTestFinished, test } from "vitest"
import type { FetchedType } from "../../src/client/FhirReader.ts"
import * as VeteranClient from "../../src/client/VeteranClient.ts"
import { Conflict } from "../../src/domain/Errors.ts"
import { openApp } from "../support/App.ts"
import { registerVeterans } from "../support/Client.ts"
import { exchangeSecret } from "../support/Service.ts"
import { resource } from "../support/Sync.ts"
import { openTcpProxy } from "../support/TcpProxy.ts"

const { database, service } = await openApp({ RECORD_LIMIT_MB: "2" })

const owner = await database.connect("owner")

const proxy = await openTcpProxy(() => Number(new URL(service.url).port))

const signIn = async (
  { maxSyncBytes, port = proxy.port }: { readonly maxSyncBytes?: number; readonly port?: number } = {}
) => {
  const { vaPatientId } = (await registerVeterans(owner, 1))[0]!
  return Effect.runPromise(
    VeteranClient.signIn({
      baseUrl: `http://localhost:${port}`,
      exchangeSecret: Redacted.make(exchangeSecret),
      vaPatientId,
      maxSyncBytes
    }).pipe(
      Effect.map(({ synchronise }) => (fetched: ReadonlyArray<FetchedType>) => Effect.runPromise(synchronise(fetched))),
      Effect.provide(FetchHttpClient.layer)
    )
  )
}

const complete = (resourceType: string, resources: ReadonlyArray<string>): FetchedType => ({
  resourceType,
  status: "complete",
  resources
})

const types = ["Condition", "DiagnosticReport", "Encounter", "Immunization", "MedicationRequest", "Observation"]

test("An unchanged record of 3 MB and 360 resources is synchronised with less than 4 kB", async () => {
  const synchronise = await signIn()
  const fetched = types.map((type) =>
    complete(type, Array.from({ length: 60 }, (_, n) => resource(type, `r-${n}`, { version: "-".repeat(10_000) })))
  )
  const bytes = fetched.flatMap(({ resources }) => resources).reduce((sum, { length }) => sum + length, 0)
  assert.isAbove(bytes, 3e6)
  await synchronise(fetched)
  const before = proxy.asked()
  const { results } = await synchronise(fetched)
  assert.isBelow(proxy.asked() - before, 4000)
  for (const type of types) assert.deepInclude(results[type], { after: "complete", stored: 0, unchanged: 60 })
})

test("A sync stores the changes of a type, and a later complete fetch makes a stale type complete again", async () => {
  const synchronise = await signIn()
  const goals = (...ids: ReadonlyArray<string>) => complete("Goal", ids.map((id) => resource("Goal", id)))
  const conditions = (...ids: ReadonlyArray<string>) =>
    complete("Condition", ids.map((id) => resource("Condition", id)))
  const first = await synchronise([goals("a", "b"), conditions("a")])
  assert.deepInclude(first.results["Goal"], { before: "unknown", stored: 2 })
  const second = await synchronise([goals("b", "c"), conditions("a")])
  assert.deepInclude(second.results["Goal"], { before: "complete", stored: 1, unchanged: 1, deactivated: 1 })
  assert.deepInclude(second.results["Condition"], { stored: 0, unchanged: 1 })
  const failed = await synchronise([{ resourceType: "Goal", status: "unavailable", resources: [] }])
  assert.deepInclude(failed.results["Goal"], { after: "stale" })
  const back = await synchronise([goals("c", "b")])
  assert.deepInclude(back.results["Goal"], { before: "stale", after: "complete", stored: 0, unchanged: 2 })
})

test("A type that was empty at the last sync is sent with its resources, not as a digest", async () => {
  const synchronise = await signIn()
  const goals = complete("Goal", [resource("Goal", "a")])
  await synchronise([goals])
  await synchronise([{ resourceType: "Goal", status: "empty", resources: [] }])
  const again = await synchronise([goals])
  assert.deepInclude(again.results["Goal"], { before: "empty", stored: 1 })
})

test("A record beyond the service's limit is sent only once, and is refused with the service's message", async () => {
  const synchronise = await signIn()
  const large = resource("Goal", "g", { version: randomBytes(2_200_000).toString("base64") })
  const before = proxy.asked()
  const refused = await synchronise([complete("Goal", [large])]).catch((error: Error) => error)
  assert.instanceOf(refused, Conflict)
  assert.match((refused as Conflict).message, /^A record is kept up to 2 MiB in all, /)
  assert.isBelow(proxy.asked() - before, 1.5 * large.length)
})

/** Opens a proxy before the service. A response from `answer` replaces the service's answer to a sync. */
const front = async (answer: () => Response | undefined) => {
  const passed = ["authorization", "content-type", "content-encoding", "x-veteran-session-exchange"]
  const server = createServer(async (request, response) => {
    const body = request.method === "GET" ? null : Buffer.concat(await request.toArray())
    const headers = passed.flatMap((name) =>
      name in request.headers ? [[name, request.headers[name] as string] as [string, string]] : []
    )
    const ours = request.url!.endsWith("/sync") ? answer() : undefined
    const answered = ours ?? await fetch(service.url + request.url, { method: request.method!, headers, body })
    const wait = answered.headers.get("retry-after")
    response.writeHead(answered.status, {
      "content-type": "application/json",
      ...wait !== null && { "retry-after": wait }
    }).end(await answered.text())
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((listening) => server.listen(0, listening))
  return (server.address() as AddressInfo).port
}

test("The client stops when the service asks again for resources that the client just sent", async () => {
  let syncs = 0
  const port = await front(() => {
    syncs++
    const required = { error: "sync_required", message: "again", resourceTypes: ["Goal"], requestId: "1" }
    return Response.json(required, { status: 409 })
  })
  const synchronise = await signIn({ port })
  const outcome = await synchronise([complete("Goal", [resource("Goal", "a")])]).catch((error: unknown) => error)
  assert.strictEqual(syncs, 1)
  assert.deepInclude(outcome, { _tag: "SyncRequired", resourceTypes: ["Goal"] })
})

test("After answers of 429 and 503, the client waits as long as the service says and then retries", async () => {
  let syncs = 0
  const port = await front(() => {
    const status = [429, 503][syncs++]
    return status === undefined ? undefined : Response.json({}, { status, headers: { "retry-after": "1" } })
  })
  const synchronise = await signIn({ port })
  const { results } = await synchronise([complete("Goal", [resource("Goal", "a")])])
  assert.deepInclude(results["Goal"], { after: "complete", stored: 1 })
  assert.strictEqual(syncs, 3)
})

const large = (type: string, count: number, version = "1") =>
  complete(type, Array.from({ length: count }, (_, n) => resource(type, `r-${n}`, { version: version.repeat(1000) })))

test("A record too large for one sync is sent in several, no type is split, and the results are merged", async () => {
  let syncs = 0
  const port = await front(() => {
    syncs++
    return undefined
  })
  const synchronise = await signIn({ port, maxSyncBytes: 16_000 })
  const unavailable = { resourceType: "Goal", status: "unavailable", resources: [] } as const
  const first = [large("Condition", 8), large("Observation", 8), unavailable, large("Encounter", 3)]
  const { manifest, notices, results } = await synchronise(first)
  assert.strictEqual(syncs, 2)
  assert.deepStrictEqual(Object.keys(results), ["Condition", "Observation", "Goal", "Encounter"])
  assert.deepStrictEqual(notices, [])
  for (const { resourceType, resources } of [first[0]!, first[1]!, first[3]!]) {
    assert.deepInclude(results[resourceType], { before: "unknown", after: "complete", stored: resources.length })
    assert.deepInclude(manifest[resourceType], { state: "complete", itemCount: resources.length })
  }
  // All digests fit into one sync. The service then requests the two changed types, which need two syncs.
  const changed = [large("Condition", 8, "2"), large("Observation", 8, "2"), unavailable, large("Encounter", 3)]
  const again = await synchronise(changed)
  assert.strictEqual(syncs, 5)
  assert.deepInclude(again.results["Observation"], { before: "complete", after: "complete", stored: 8 })
  assert.deepInclude(again.results["Encounter"], { stored: 0, unchanged: 3 })
  await synchronise(changed)
  assert.strictEqual(syncs, 6)
})

test("A type too large for one sync is stored as partial and reported, and the other types are complete", async () => {
  const synchronise = await signIn({ maxSyncBytes: 10_000 })
  const { manifest, notices } = await synchronise([large("Observation", 20), large("Condition", 2)])
  assert.deepInclude(manifest["Observation"], { state: "partial", lastFetch: "partial", itemCount: 8 })
  assert.deepInclude(manifest["Condition"], { state: "complete", itemCount: 2 })
  assert.deepStrictEqual(notices, [
    "Observation: 8 of 20 resources were sent, because a sync takes 10,000 bytes and 100,000 resources. " +
    "The type counts as partial."
  ])
})
