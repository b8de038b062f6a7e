import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { resource } from "../../support/Sync.ts"
import { type App, connectApp, fhir, get, idsOf, observation, syncAndConnect } from "./Apps.ts"
import { assertOutcome } from "./Judged.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const post = (app: App, type: string, form: string, query = "") =>
  call(service, "POST", `${fhir}/${type}/_search${query}`, {
    headers: { ...app.headers, "content-type": "application/x-www-form-urlencoded" },
    body: form
  })

const search = (app: App, form: string, query = "") => post(app, "Observation", form, query)

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join("&")

describe("A search is limited", async () => {
  const { app } = await syncAndConnect(service, owner, { Observation: [observation("a")] })

  test("to 100 parameters, in the query and the form together", async () => {
    assert.deepStrictEqual(idsOf(await search(app, times(60, "x=y"), `?${times(40, "x=y")}`)), ["a"])
    const refused = await search(app, times(61, "x=y"), `?${times(40, "x=y")}`)
    assert.strictEqual(refused.status, 400)
    assertOutcome(refused, "invalid", "Expected at most 100 parameters")
    assert.strictEqual((await get(service, app, `/Observation?${times(7000, "x")}`)).status, 400)
  })

  test("to a form of 16 KiB", async () => {
    const form = "code=".padEnd(16 * 1024, "z")
    assert.deepStrictEqual(idsOf(await search(app, form)), [])
    const refused = await search(app, `${form}z`)
    assert.strictEqual(refused.status, 413)
    assertOutcome(refused, "too-long", "The request body is larger than this route takes.")
  })
})

describe("A large item of a record", () => {
  test("is found by any of its 5,000 codes", async () => {
    const coding = Array.from({ length: 5_000 }, (_, index) => ({ system: "http://loinc.org", code: `c${index}` }))
    const { app } = await syncAndConnect(service, owner, { Observation: [observation("a", { code: { coding } })] })
    const list = Array.from({ length: 299 }, (_, index) => `z${index}`).join(",")
    assert.deepStrictEqual(idsOf(await search(app, `code=${list},C4999`)), ["a"])
    assert.deepStrictEqual(idsOf(await search(app, `code=${list}`)), [])
  })

  test("is found by any of its 5,000 names, identifiers and references", async () => {
    const many = <A>(make: (index: number) => A) => Array.from({ length: 5_000 }, (_, index) => make(index))
    const { app } = await syncAndConnect(service, owner, {
      Encounter: [JSON.stringify({
        resourceType: "Encounter",
        id: "e",
        location: many((index) => ({ location: { reference: `Location/l${index}` } }))
      })],
      Patient: [JSON.stringify({
        resourceType: "Patient",
        id: "p",
        name: many((index) => ({ family: `f${index}x` })),
        identifier: many((index) => ({ value: `i${index}` }))
      })]
    })
    const list = Array.from({ length: 299 }, (_, index) => `z${index}`).join(",")
    assert.deepStrictEqual(idsOf(await post(app, "Encounter", `location=${list},l4999`)), ["e"])
    assert.deepStrictEqual(idsOf(await post(app, "Encounter", `location=${list}`)), [])
    assert.deepStrictEqual(idsOf(await post(app, "Patient", `family=${list},F4999X`)), ["p"])
    assert.deepStrictEqual(idsOf(await post(app, "Patient", `family=${list}`)), [])
    assert.deepStrictEqual(idsOf(await post(app, "Patient", `identifier=${list},i4999`)), ["p"])
  })

  test("with more than 200,000 values or 32 MiB is found only by its id or storage date", async () => {
    const texts = [
      observation("few", { component: Array.from({ length: 1000 }, () => 1) }),
      observation("many", { component: Array.from({ length: 240_000 }, () => 1) }),
      observation("wide", { note: [{ text: "x".repeat(33 * 1024 * 1024) }], category: [{ coding: [{ code: "c" }] }] })
    ]
    const { app, veteran } = await syncAndConnect(service, owner, { Observation: texts })
    const found = async (query: string) => {
      const ids = []
      for (let path: string | undefined = `/Observation?${query}`; path !== undefined;) {
        const { json } = await get(service, app, path)
        ids.push(...idsOf({ json }))
        const next = json.link.find(({ relation }: any) => relation === "next")?.url
        path = next?.slice(`${service.url}${fhir}`.length)
      }
      return ids
    }
    assert.deepStrictEqual(await found("status=final"), ["few"])
    assert.deepStrictEqual(await found("_id=many,few"), ["few", "many"])
    for (const query of ["_id=many,wide,few", "_lastUpdated=ge2020"]) {
      assert.strictEqual((await get(service, app, `/Observation?${query}&_count=0`)).json.total, 3)
    }
    // The service does not read the category of an item this large, so a scope for one category does not show it.
    const scope = "patient/Observation.rs?category=s|c"
    const narrow = await connectApp(service, owner, veteran, { scope, types: ["Observation"] })
    for (const headers of [{}, { "if-none-match": "*" }]) {
      assert.strictEqual((await get(service, narrow, "/Observation/wide", headers)).status, 404)
    }
    assert.strictEqual((await get(service, app, "/Observation/wide")).text, texts[2])
  })

  test("leaves a search without a total if counting would examine more data than a page may", async () => {
    const note = [{ text: "x".repeat(17 * 1024 * 1024) }]
    const { app } = await syncAndConnect(service, owner, {
      Observation: [observation("a", { note }), observation("b", { note }), observation("c")],
      Condition: [resource("Condition", "d")]
    })
    const { json } = await get(service, app, "/Observation?status=final&_count=0")
    assert.deepStrictEqual([json.total, json.entry, json.link.length], [undefined, undefined, 1])
    assert.strictEqual((await get(service, app, "/Observation?_count=0")).json.total, 3)
    assert.strictEqual((await get(service, app, "/Observation?_id=c&status=final&_count=0")).json.total, 1)
  })
})
