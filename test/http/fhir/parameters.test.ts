import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import type { Texts } from "../../support/Sync.ts"
import { type App, fhir, get, idsOf, observation, syncAndConnect } from "./Apps.ts"
import { assertOutcome, assertValid } from "./Judged.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const base = `${service.url}${fhir}`

const connected = (texts: Texts) => syncAndConnect(service, owner, texts)

const post = (app: App, type: string, form: string) =>
  call(service, "POST", `${fhir}/${type}/_search`, {
    headers: { ...app.headers, "content-type": "application/x-www-form-urlencoded" },
    body: form
  })

const text = (resourceType: string, id: string, members: object) => JSON.stringify({ resourceType, id, ...members })

const outcomesOf = ({ json }: { readonly json: any }) =>
  (json.entry ?? []).flatMap(({ resource, search }: any) => search.mode === "outcome" ? [resource] : [])

const ignoredOutcome = (words: string) => ({
  resourceType: "OperationOutcome",
  issue: [{
    severity: "information",
    code: "not-supported",
    details: { text: `This search ignored parameters that are not known here: ${words}` }
  }]
})

// test/services/fhir/search-oracle.test.ts proves what each parameter finds.
test("A search finds a reference by the address of this service, and by no other", async () => {
  const reference = (id: string, reference: string) => text("Condition", id, { encounter: { reference } })
  const { app } = await connected({
    Condition: [
      reference("relative", "Encounter/e1"),
      reference("source", "https://sandbox.example/fhir/v0/Encounter/e1"),
      reference("here", `${base}/Encounter/e1`),
      reference("other", "Encounter/e2")
    ]
  })
  const found = async (value: string) =>
    idsOf(await get(service, app, `/Condition?encounter=${encodeURIComponent(value)}`))
  assert.deepStrictEqual(await found(`${base}/Encounter/e1`), ["here", "relative", "source"])
  assert.deepStrictEqual(await found("https://sandbox.example/fhir/v0/Encounter/e1"), ["source"])
})

test("A search of the Patient compares every parameter, in a query and in a form", async () => {
  const { app, veteran } = await connected({
    Patient: [text("Patient", "p", {
      identifier: [{ system: "http://hl7.org/fhir/sid/us-ssn", value: "123-45-6789" }],
      name: [{ family: "Carreño-O'Neil", given: ["José"], text: "José Carreño-O'Neil" }],
      birthDate: "1950-02-28",
      gender: "female"
    })]
  })
  for (
    const query of ["identifier=http://hl7.org/fhir/sid/us-ssn|123-45-6789", "family=zzz,CARREÑO&given=Jose%CC%81",
      "birthdate=ge1950&birthdate=lt1951&name=oneil&gender=female&_id=p"]
  ) {
    assert.deepStrictEqual(idsOf(await get(service, app, `/Patient?${query}`)), ["p"], query)
    assert.deepStrictEqual(idsOf(await post(app, "Patient", query)), ["p"], query)
  }
  for (const query of ["name=jose&birthdate=1950-03", "family=carreno&family=zzz", "identifier=|123-45-6789"]) {
    const answer = await get(service, app, `/Patient?${query}`)
    assert.deepStrictEqual([answer.status, answer.json.total, "entry" in answer.json], [200, 0, false], query)
  }
  assert.strictEqual((await get(service, app, `/Patient/${veteran.id}`)).status, 200)
})

test("A search of the Patient that is made for a record without one compares its call sign only", async () => {
  const { app, veteran } = await connected({ Observation: [observation("a")] })
  const { json } = await get(service, app, `/Patient/${veteran.id}`)
  const [{ text }] = json.name
  const found = async (query: string) => idsOf(await get(service, app, `/Patient?${query}`))
  for (const query of ["", `name=${text.slice(0, 3).toUpperCase()}`, `_id=${veteran.id}&name=${text}`]) {
    assert.deepStrictEqual(await found(query), [veteran.id])
  }
  for (const query of ["name=zzz", "family=a", "identifier=1", "birthdate=ge1900", "gender=male", "_id=other"]) {
    assert.deepStrictEqual(await found(query), [])
  }
})

test("A modifier is refused in both handlings and in a form, and its value is not repeated", async () => {
  const { app, veteran } = await connected({ Observation: [observation("a")] })
  const words = "No modifier of a parameter is supported here"
  for (const handling of ["lenient", "strict"]) {
    for (const [path, name] of [["/Observation", "_id"], [`/Patient/${veteran.id}/$everything`, "_type"]]) {
      const refused = await get(service, app, `${path}?${name}:not=a-secret`, { prefer: `handling=${handling}` })
      assert.strictEqual(refused.status, 400)
      assertOutcome(refused, "invalid", `${name}:not: ${words}`)
    }
  }
  const refused = await post(app, "Observation", "status:not=a-secret")
  assert.strictEqual(refused.status, 400)
  assertOutcome(refused, "invalid", `status:not: ${words}`)
})

describe("An unknown parameter", async () => {
  const { app, veteran } = await connected({ Observation: [observation("a"), observation("b", { status: "amended" })] })

  test("is ignored, missing from the link 'self', and named in one entry", async () => {
    const query = "status=final&foo=a-secret&foo=again&_elements=id&_has:Observation:patient:code=1&subject.name=x"
    const answer = await get(service, app, `/Observation?${query}&_format=json&_pretty=true`)
    assert.strictEqual(answer.status, 200)
    assertValid(answer.json)
    assert.deepStrictEqual(idsOf(answer), ["a"])
    assert.deepStrictEqual(outcomesOf(answer), [
      ignoredOutcome("'foo', '_elements', '_has:Observation:patient:code', 'subject.name'")
    ])
    assert.deepStrictEqual(answer.json.link, [{ relation: "self", url: `${base}/Observation?status=final` }])
    assert.deepStrictEqual([answer.json.total, answer.text.includes("a-secret")], [1, false])
    assert.deepStrictEqual(outcomesOf(await get(service, app, "/Observation?status=final")), [])
  })

  test("is named on a page without matches, and by $everything", async () => {
    for (const path of ["/Observation?foo=1&_count=0", "/Observation?foo=1&patient=other", "/Goal?foo=1"]) {
      const answer = await get(service, app, path)
      assert.deepStrictEqual([idsOf(answer), outcomesOf(answer)], [[], [ignoredOutcome("'foo'")]])
    }
    const everything = await get(
      service,
      app,
      `/Patient/${veteran.id}/$everything?start=2020&_count=1&_type=Observation`
    )
    assert.deepStrictEqual([idsOf(everything), outcomesOf(everything)], [["a"], [ignoredOutcome("'start'")]])
    const next = await get(service, app, everything.json.link[1].url.slice(base.length))
    assert.deepStrictEqual([idsOf(next), outcomesOf(next)], [["b"], []])
  })

  test("takes little room in the answer if its name is long, odd or one of many", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${at}${"x".repeat(100)}`)
    const answer = await get(service, app, `/Observation?status=final&${names.map((name) => `${name}=1`).join("&")}`)
    const shown = names.slice(0, 10).map((name) => `'${name.slice(0, 50)}'`).join(", ")
    assert.deepStrictEqual(outcomesOf(answer), [ignoredOutcome(`${shown} and 50 more`)])
    const odd = await get(service, app, `/Observation?${"😀".repeat(26)}x=1&a%00b%0a=1&=1&%ff=1`)
    assertValid(odd.json)
    assert.deepStrictEqual(outcomesOf(odd), [ignoredOutcome(`'${"😀".repeat(25)}', 'a\ufffdb\ufffd', '', '\ufffd'`)])
  })
})
