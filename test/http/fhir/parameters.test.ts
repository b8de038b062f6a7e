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

describe("A search by a reference", async () => {
  const reference = (id: string, reference: string) => text("Condition", id, { encounter: { reference } })
  const { app } = await connected({
    Condition: [
      reference("relative", "Encounter/e1"),
      reference("versioned", "Encounter/e1/_history/2"),
      reference("source", "https://sandbox.example/fhir/v0/Encounter/e1"),
      reference("here", `${base}/Encounter/e1`),
      reference("urn", "urn:uuid:e1"),
      reference("other", "Encounter/e2"),
      reference("contained", "#e1")
    ],
    QuestionnaireResponse: [
      text("QuestionnaireResponse", "old", { questionnaire: "http://q.example/q|1.0" }),
      text("QuestionnaireResponse", "new", { questionnaire: "http://q.example/q|2.0" })
    ]
  })
  const all = ["here", "relative", "source", "urn", "versioned"]

  test.each([
    ["e1", all],
    ["Encounter/e1", all],
    [`${base}/Encounter/e1`, all],
    ["https://sandbox.example/fhir/v0/Encounter/e1", ["source"]],
    ["https://elsewhere.example/Encounter/e1", []],
    ["urn:uuid:e1", ["urn"]],
    ["Encounter/e1/_history/2", ["versioned"]],
    ["Patient/e1", []],
    ["e1,Encounter/e2", ["here", "other", "relative", "source", "urn", "versioned"]]
  ])("finds the item under each of its names: %s", async (value, ids) => {
    assert.deepStrictEqual(idsOf(await get(service, app, `/Condition?encounter=${encodeURIComponent(value)}`)), ids)
  })

  test("finds a questionnaire's answers by its address, with its version or without", async () => {
    const found = async (value: string) =>
      idsOf(await post(app, "QuestionnaireResponse", `questionnaire=${encodeURIComponent(value)}`))
    assert.deepStrictEqual(await found("http://q.example/q"), ["new", "old"])
    assert.deepStrictEqual(await found("http://q.example/q|1.0"), ["old"])
    assert.deepStrictEqual(await found("http://q.example/Q"), [])
  })

  test("is refused if the value is no reference", async () => {
    const refused = await get(service, app, "/Condition?encounter=Encounter/")
    assert.strictEqual(refused.status, 400)
    assertOutcome(refused, "invalid", "encounter: Expected references, each as 'id', 'Type/id' or a URL")
  })
})

describe("A search of the Patient", async () => {
  const { app, veteran } = await connected({
    Patient: [text("Patient", "p", {
      identifier: [{ system: "http://hl7.org/fhir/sid/us-ssn", value: "123-45-6789" }],
      name: [{ family: "Carreño-O'Neil", given: ["José"], text: "José Carreño-O'Neil" }],
      birthDate: "1950-02-28",
      gender: "female"
    })]
  })

  test.each([
    "identifier=123-45-6789",
    "identifier=http://hl7.org/fhir/sid/us-ssn|123-45-6789",
    "identifier=http://hl7.org/fhir/sid/us-ssn|",
    "name=jose",
    "name=CARREN",
    "name=oneil",
    "family=carreno%20o",
    "family=zzz,CARREÑO",
    "given=Jose%CC%81",
    "birthdate=1950-02-28&gender=female",
    "birthdate=ge1950&birthdate=lt1951&name=jos&_id=p"
  ])("finds the veteran by what is said of them: %s", async (query) => {
    assert.deepStrictEqual(idsOf(await get(service, app, `/Patient?${query}`)), ["p"])
    assert.deepStrictEqual(idsOf(await post(app, "Patient", query)), ["p"])
  })

  test.each([
    "identifier=http://hl7.org/fhir/sid/us-ssn|999-99-9999",
    "identifier=|123-45-6789",
    "name=zzz",
    "name=ose",
    "given=Carreno",
    "family=jose",
    "name=jose&birthdate=1950-03",
    "birthdate=1950-02-28&gender=male",
    "family=carreno&family=zzz",
    "gender=http://genders.example|female"
  ])("is empty for somebody else: %s", async (query) => {
    const answer = await get(service, app, `/Patient?${query}`)
    assert.deepStrictEqual([answer.status, answer.json.total, "entry" in answer.json], [200, 0, false])
  })

  test("refuses a name without a letter", async () => {
    const refused = await get(service, app, "/Patient?name=-")
    assert.strictEqual(refused.status, 400)
    assertOutcome(refused, "invalid", "name: Expected texts, each with a letter or a digit")
  })

  test("still reads the Patient by the token's own id", async () => {
    assert.strictEqual((await get(service, app, `/Patient/${veteran.id}`)).status, 200)
  })
})

describe("A modifier", async () => {
  const { app, veteran } = await connected({ Observation: [observation("a")] })

  test.each([
    ["/Observation?status:not=final", "status:not"],
    ["/Observation?category:missing=true", "category:missing"],
    ["/Observation?code:text=weight&status=final", "code:text"],
    ["/Observation?_id:not=a", "_id:not"],
    ["/Observation?_lastUpdated:missing=true", "_lastUpdated:missing"],
    [`/Observation?patient:Patient=${veteran.id}`, "patient:Patient"],
    ["/Observation?subject:Patient.name=x", "subject:Patient.name"],
    ["/Patient?name:exact=x", "name:exact"],
    ["/Condition?encounter:identifier=x", "encounter:identifier"],
    [`/Patient/${veteran.id}/$everything?_type:not=Observation`, "_type:not"]
  ])("is refused in both handlings: %s", async (path, name) => {
    for (const headers of [{}, { prefer: "handling=lenient" }, { prefer: "handling=strict" }]) {
      const refused = await get(service, app, path, headers)
      assert.strictEqual(refused.status, 400)
      assertOutcome(refused, "invalid", `${name}: No modifier of a parameter is supported here`)
    }
  })

  test("is refused in a form, and its value is not repeated", async () => {
    const refused = await post(app, "Observation", "status:not=a-secret")
    assert.strictEqual(refused.status, 400)
    assert.notInclude(refused.text, "a-secret")
  })
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

  test("takes little room in the answer, whatever its name", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${at}${"x".repeat(100)}`)
    const answer = await get(service, app, `/Observation?status=final&${names.map((name) => `${name}=1`).join("&")}`)
    const shown = names.slice(0, 10).map((name) => `'${name.slice(0, 50)}'`).join(", ")
    assert.deepStrictEqual(outcomesOf(answer), [ignoredOutcome(`${shown} and 50 more`)])
    const odd = await get(service, app, `/Observation?${"😀".repeat(26)}x=1&a%00b%0a=1&=1&%ff=1`)
    assertValid(odd.json)
    assert.deepStrictEqual(outcomesOf(odd), [ignoredOutcome(`'${"😀".repeat(25)}', 'a\ufffdb\ufffd', '', '\ufffd'`)])
  })

  test("is refused if the client asks for strict handling", async () => {
    const refused = await get(service, app, "/Observation?foo=1&status=final", { prefer: "handling=strict" })
    assert.strictEqual(refused.status, 400)
    assertOutcome(
      refused,
      "invalid",
      "foo: This parameter is not known here, and 'prefer: handling=strict' was sent"
    )
    assert.strictEqual(
      (await get(service, app, "/Observation?status=final", { prefer: "handling=strict" })).status,
      200
    )
  })
})

test("metadata lists the parameters of each type with their kinds", async () => {
  const { json } = await call(service, "GET", `${fhir}/metadata`)
  const parametersOf = (wanted: string) =>
    json.rest[0].resource.find(({ type }: any) => type === wanted).searchParam
      .map(({ name, type }: any) => `${name} ${type}`)
  const always = ["_id token", "_lastUpdated date", "patient reference", "subject reference"]
  assert.deepStrictEqual(parametersOf("Patient"), [
    ...always,
    "birthdate date",
    "family string",
    "gender token",
    "given string",
    "identifier token",
    "name string"
  ])
  assert.deepStrictEqual(parametersOf("QuestionnaireResponse"), [
    ...always,
    "authored date",
    "questionnaire reference",
    "status token"
  ])
  assert.deepStrictEqual(parametersOf("Medication"), always)
})
