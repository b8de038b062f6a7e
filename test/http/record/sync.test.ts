import { gzipSync, zstdCompressSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, type SignedIn, signIn } from "../../support/Client.ts"
import { readRecord, resource, storedRows, sync, syncBody, syncPath } from "../../support/Sync.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const newVeteran = async () => signIn(service, (await registerVeterans(owner, 1))[0]!)

const send = (veteran: SignedIn, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  call(service, "POST", syncPath, { headers: { ...veteran.headers, ...headers }, body })

const conditions = ["a", "b", "c"].map((id) => resource("Condition", id))

/** Reads everything that the database has of a veteran, row versions included. */
const everything = async (veteran: SignedIn) => {
  const { rows } = await superuser.query("select *, xmin from veterans where id = $1", [veteran.id])
  return { veteran: rows[0], items: await storedRows(superuser, veteran.id) }
}

const texts = async (veteran: SignedIn, query = {}) =>
  (await readRecord(service, veteran, query)).items.map(({ text }) => text)

describe("A sync", () => {
  test("leaves unchanged the types that it does not name", async () => {
    const veteran = await newVeteran()
    await sync(service, veteran, { Condition: "complete", Procedure: "partial" }, {
      Condition: conditions,
      Procedure: [resource("Procedure", "p")]
    })
    const before = await everything(veteran)
    const answer = await sync(service, veteran, { Immunization: "complete" }, {
      Immunization: [resource("Immunization", "i")]
    })
    assert.deepStrictEqual(Object.keys(answer.json.results), ["Immunization"])
    const { Condition, Procedure } = answer.json.manifest
    const kept = before.veteran.fhir_sync_manifest
    assert.deepStrictEqual({ Condition, Procedure }, { Condition: kept.Condition, Procedure: kept.Procedure })
    const after = await everything(veteran)
    assert.deepStrictEqual(after.items.filter((row) => row.resource_type !== "Immunization"), before.items)
    assert.deepStrictEqual(await texts(veteran), [
      ...conditions,
      resource("Immunization", "i"),
      resource("Procedure", "p")
    ])
  })

  test("writes no item when it repeats the last sync", async () => {
    const veteran = await newVeteran()
    const statuses = { Condition: "complete", Procedure: "partial", Immunization: "empty", Goal: "unavailable" }
    const resources = { Condition: conditions, Procedure: [resource("Procedure", "p")] }
    const first = await sync(service, veteran, statuses, resources)
    const before = await everything(veteran)
    const second = await sync(service, veteran, statuses, resources)
    const after = await everything(veteran)
    assert.deepStrictEqual(after.items, before.items)
    assert.deepStrictEqual(second.json.results, {
      Condition: { before: "complete", after: "complete", stored: 0, unchanged: 3, deactivated: 0, skipped: 0 },
      Procedure: { before: "partial", after: "partial", stored: 0, unchanged: 0, deactivated: 0, skipped: 1 },
      Immunization: { before: "empty", after: "empty", stored: 0, unchanged: 0, deactivated: 0, skipped: 0 },
      Goal: { before: "unknown", after: "unknown", stored: 0, unchanged: 0, deactivated: 0, skipped: 0 }
    })
    const states = ({ manifest }: any) =>
      Object.keys(manifest).sort().map((type) => {
        const { itemCount, lastFetch, state } = manifest[type]
        return [type, state, lastFetch, itemCount]
      })
    assert.deepStrictEqual(states(second.json), states(first.json))
  })

  test("stores a change of a single space, and keeps the item's id", async () => {
    const veteran = await newVeteran()
    await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })
    const before = await readRecord(service, veteran)
    const spaced = conditions[1]!.replace(":", ": ")
    const answer = await sync(service, veteran, { Condition: "complete" }, {
      Condition: [conditions[0]!, spaced, conditions[2]!]
    })
    assert.deepInclude(answer.json.results.Condition, { stored: 1, unchanged: 2, deactivated: 0 })
    const after = await readRecord(service, veteran)
    assert.deepStrictEqual(after.items.map(({ text }) => text), [conditions[0], spaced, conditions[2]])
    assert.deepStrictEqual(after.items.map(({ id }) => id), before.items.map(({ id }) => id))
    assert.isAbove(Date.parse(after.items[1]!.syncedAt), Date.parse(before.items[1]!.syncedAt))
    assert.strictEqual(after.items[0]!.syncedAt, before.items[0]!.syncedAt)
  })

  test("restores a missing item, with its old text or a new one", async () => {
    const veteran = await newVeteran()
    await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })
    const before = await storedRows(superuser, veteran.id)
    const removed = await sync(service, veteran, { Condition: "complete" }, { Condition: [conditions[2]!] })
    assert.deepInclude(removed.json.results.Condition, { stored: 0, unchanged: 1, deactivated: 2 })
    const changed = resource("Condition", "b", { version: 2 })
    const back = await sync(service, veteran, { Condition: "complete" }, {
      Condition: [conditions[0]!, changed, conditions[2]!]
    })
    assert.deepInclude(back.json.results.Condition, { stored: 2, unchanged: 1, deactivated: 0 })
    assert.deepStrictEqual(await texts(veteran), [conditions[0], changed, conditions[2]])
    // An item that returned with its old text was not sealed again.
    const after = await storedRows(superuser, veteran.id)
    assert.deepStrictEqual(after[0]!.raw_ciphertext, before[0]!.raw_ciphertext)
  })

  test("keeps items apart that share a FHIR id but belong to two types or two veterans", async () => {
    const [veteran, other] = [await newVeteran(), await newVeteran()]
    const resources = { Condition: [resource("Condition", "1")], Procedure: [resource("Procedure", "1")] }
    for (const who of [veteran, other]) {
      await sync(service, who, { Condition: "complete", Procedure: "complete" }, resources)
    }
    // Equal texts of two people must have different hashes. Equal hashes would reveal that both have the same finding.
    const hashes = [...await storedRows(superuser, veteran.id), ...await storedRows(superuser, other.id)]
    assert.strictEqual(new Set(hashes.map(({ content_mac }) => content_mac.toString("hex"))).size, 4)
    await sync(service, veteran, { Condition: "empty" })
    assert.deepStrictEqual(await texts(veteran), resources.Procedure)
    assert.deepStrictEqual(await texts(other), [...resources.Condition, ...resources.Procedure])
  })

  test("is accepted if it names no type at all, or a type of which it sends no resources", async () => {
    const veteran = await newVeteran()
    const nothing = await send(veteran, "{\"fhirResourceFetchStatuses\":{}}")
    assert.deepStrictEqual([nothing.status, nothing.json], [200, { manifest: {}, results: {} }])
    const none = await sync(service, veteran, { Condition: "complete" })
    assert.deepInclude(none.json.manifest.Condition, { state: "complete", itemCount: 0 })
  })

  test("is stored identically without compression, with gzip and with zstd, at any size", async () => {
    for (const size of [10, 100_000, 300_000, 2_000_000, 6_000_000]) {
      const [veteran, long] = [await newVeteran(), resource("Condition", "a", { version: "é".repeat(size / 2) })]
      const body = syncBody({ Condition: "complete" }, { Condition: [long, resource("Condition", "b")] })
      // Neither encoding tells the service how long the body is.
      for (const [encoding, bytes] of [["gzip", gzipSync(body)], ["zstd", zstdCompressSync(body)]] as const) {
        assert.strictEqual((await send(veteran, bytes, { "content-encoding": encoding })).status, 200, `${size}`)
        assert.strictEqual((await texts(veteran, { limit: "1" }))[0], long)
      }
      const again = await send(veteran, body)
      assert.deepInclude(again.json.results.Condition, { stored: 0, unchanged: 2 }, `${size}`)
    }
  })

  test("accepts more than 250 resources of a type, and stores each once", async () => {
    const veteran = await newVeteran()
    const many = Array.from({ length: 777 }, (_, n) => resource("Observation", `o-${1000 + n}`))
    const first = await sync(service, veteran, { Observation: "complete" }, { Observation: many })
    assert.deepInclude(first.json.results.Observation, { stored: 777, unchanged: 0 })
    const changed = many.map((text, n) => n % 2 === 0 ? text : resource("Observation", `o-${1000 + n}`, { version: 2 }))
    const second = await sync(service, veteran, { Observation: "complete" }, { Observation: changed })
    assert.deepInclude(second.json.results.Observation, { stored: 388, unchanged: 389, deactivated: 0 })
    assert.deepStrictEqual(await texts(veteran, { limit: "200" }), changed)
  })
})

// test/services/record/SyncRequest.test.ts has all reasons for which a body is refused.
describe("A sync stores nothing if it", () => {
  const good = Array.from({ length: 600 }, (_, n) => resource("Procedure", `p-${n}`))
  /** The body has more than one batch of valid content beside invalid content. No part of it may be stored. */
  const beside = (...wrong: ReadonlyArray<string>) =>
    syncBody({ Procedure: "complete", Condition: "complete" }, {
      Procedure: good,
      Condition: [...conditions, ...wrong]
    })

  test("is refused for resources whose ids are no FHIR ids", async () => {
    const veteran = await newVeteran()
    await sync(service, veteran, { Condition: "partial" }, { Condition: [resource("Condition", "kept")] })
    const before = await everything(veteran)
    const answer = await send(
      veteran,
      beside(...["", "a_b", "a".repeat(65), "é"].map((id) => resource("Condition", id)))
    )
    assert.deepStrictEqual(
      [answer.status, answer.json],
      [400, {
        error: "invalid_request",
        message: "The request does not fit the schema: see 'issues'.",
        issues: [3, 4, 5, 6].map((index) => ({
          path: ["resources", "Condition", index],
          message: "Expected a FHIR id (1 to 64 of A-Z a-z 0-9 - .)"
        })),
        requestId: answer.headers.get("x-request-id")
      }]
    )
    assert.deepStrictEqual(await everything(veteran), before)
  })

  test("is refused for JSON that has a syntax error after much valid content", async () => {
    const veteran = await newVeteran()
    const answer = await send(veteran, beside("{\"resourceType\":"))
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_json"])
    assert.deepStrictEqual((await everything(veteran)).items, [])
  })

  test("is refused for a broken and for an unsupported compression", async () => {
    const veteran = await newVeteran()
    const body = gzipSync(syncBody({ Condition: "complete" }, { Condition: conditions }))
    const cut = await send(veteran, body.subarray(0, -12), { "content-encoding": "gzip" })
    assert.deepStrictEqual([cut.status, cut.json.error], [400, "invalid_json"])
    const brotli = await send(veteran, body, { "content-encoding": "br" })
    assert.deepStrictEqual([brotli.status, brotli.json.error], [415, "unsupported_media_type"])
    assert.deepStrictEqual((await everything(veteran)).items, [])
  })
})
