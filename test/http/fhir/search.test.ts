import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { resource, sync, type Texts } from "../../support/Sync.ts"
import { connectApp, fhir, get, idsOf, observation, pages, syncAndConnect, vital } from "./Apps.ts"
import { assertOutcome, assertValid } from "./Judged.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const base = `${service.url}${fhir}`

const connected = (texts: Texts, granted = {}) => syncAndConnect(service, owner, texts, granted)

describe("A search", () => {
  test("answers with a valid searchset, page by page, with the total and no more than was requested", async () => {
    const texts = ["c", "a", "b", "e", "d"].map((id) => observation(id))
    const { app } = await connected({ Observation: texts })
    const answers = await pages(service, app, "/Observation?_count=2")
    assert.deepStrictEqual(answers.map(idsOf), [["a", "b"], ["c", "d"], ["e"]])
    for (const answer of answers) {
      assertValid(answer.json)
      assert.strictEqual(answer.json.total, 5)
    }
    assert.deepStrictEqual(answers[0]!.json.link[0], { relation: "self", url: `${base}/Observation?_count=2` })
    assert.deepStrictEqual(answers[0]!.json.entry[0], {
      fullUrl: `${base}/Observation/a`,
      resource: JSON.parse(observation("a")),
      search: { mode: "match" }
    })
    const none = await get(service, app, "/Observation?_count=0")
    assert.deepStrictEqual([none.json.total, "entry" in none.json], [5, false])
    const empty = await get(service, app, "/Condition")
    assert.deepStrictEqual([empty.json.total, "entry" in empty.json], [0, false])
    assertValid(empty.json)
  })

  test("filters by _id, _lastUpdated, patient and a type's search parameters, by GET and by POST", async () => {
    const { app, veteran } = await connected({
      Observation: [observation("a", vital), observation("b", { effectiveDateTime: "2020-02-03" }),
        observation("c", { status: "amended" })]
    })
    const found = async (query: string) => idsOf(await get(service, app, `/Observation?${query}`))
    assert.deepStrictEqual(await found("_id=a,c,h"), ["a", "c"])
    assert.deepStrictEqual(await found("_id=a,c&_id=c"), ["c"])
    assert.deepStrictEqual(await found("category=vital-signs"), ["a"])
    assert.deepStrictEqual(await found("status=final,amended&status=amended"), ["c"])
    assert.deepStrictEqual(await found("date=ge2020-02&date=lt2021"), ["b"])
    assert.deepStrictEqual(await found("_lastUpdated=gt2100"), [])
    assert.deepStrictEqual(await found("_lastUpdated=lt2100&_lastUpdated=ge2020,ge2021"), ["a", "b", "c"])
    for (const patient of [veteran.id, `Patient/${veteran.id}`, `${base}/Patient/${veteran.id}`]) {
      assert.deepStrictEqual(await found(`patient=${encodeURIComponent(patient)}&_count=1`), ["a"])
    }
    assert.deepStrictEqual(await found("subject=Patient/other"), [])
    const posted = await call(service, "POST", `${fhir}/Observation/_search`, {
      headers: { ...app.headers, "content-type": "application/x-www-form-urlencoded" },
      body: "status=final&_count=1"
    })
    assert.deepStrictEqual([posted.status, idsOf(posted)], [200, ["a"]])
    const [, second] = [posted, await get(service, app, posted.json.link[1].url.slice(base.length))]
    assert.deepStrictEqual([idsOf(second), second.json.link.length], [["b"], 1])
    assert.isUndefined(second.json.total)
  })

  test("finds and sorts an Observation by the events and the bounds of its timing", async () => {
    const { app } = await connected({
      Observation: [
        observation("a", { effectiveTiming: { event: ["2020-02-03", "2022-04"] } }),
        observation("b", { effectiveTiming: { repeat: { boundsPeriod: { start: "2018-05", end: "2018-06" } } } }),
        observation("c", { effectiveDateTime: "2019" }),
        observation("d", { effectiveTiming: { code: { text: "daily" } } })
      ]
    })
    const found = async (query: string) => idsOf(await get(service, app, `/Observation?${query}`))
    assert.deepStrictEqual(await found("date=2022-04-05"), ["a"])
    assert.deepStrictEqual(await found("date=lt2019"), ["b"])
    assert.deepStrictEqual(await found("_sort=date"), ["b", "c", "a", "d"])
    assert.deepStrictEqual(await found("_sort=-date"), ["a", "c", "b", "d"])
  })

  test("adds one OperationOutcome for a type whose data may be incomplete", async () => {
    const { app, veteran } = await connected({ Observation: [observation("a"), observation("b")], Condition: [] })
    await sync(service, veteran, { Observation: "partial" }, { Observation: [] })
    const { json } = await get(service, app, "/Observation?_count=1")
    assert.deepStrictEqual(json.entry.slice(1), [{
      resource: {
        resourceType: "OperationOutcome",
        issue: [{
          severity: "warning",
          code: "incomplete",
          details: {
            coding: [{ code: "record_stale" }],
            text: "Observation: the data shown comes from the last complete sync; the most recent fetch was incomplete."
          }
        }]
      },
      search: { mode: "outcome" }
    }])
    assertValid(json)
    const next = await get(service, app, json.link[1].url.slice(base.length))
    assert.strictEqual(next.json.entry.length, 1)
    assert.isUndefined((await get(service, app, "/Condition")).json.entry)
  })

  test.each(["CarePlan", "Condition", "DiagnosticReport", "DocumentReference", "Observation", "ServiceRequest"])(
    "is limited by the category of a scope for each type that has categories, like a read: %s",
    async (type) => {
      const inCategory = { category: [{ coding: [{ system: "http://kinds.example", code: "note" }] }] }
      const text = (id: string, members = {}) => JSON.stringify({ resourceType: type, id, ...members })
      const { veteran } = await connected({ [type]: [text("a", inCategory), text("b")] })
      const scope = `patient/${type}.rs?category=http://kinds.example|note`
      const app = await connectApp(service, owner, veteran, { scope, types: [type] })
      const answer = await get(service, app, `/${type}`)
      assert.deepStrictEqual([idsOf(answer), answer.json.total], [["a"], 1])
      assert.strictEqual((await get(service, app, `/${type}/b`)).status, 404)
      assert.strictEqual((await get(service, app, `/${type}/a`)).status, 200)
      assert.deepStrictEqual(idsOf(await get(service, app, `/Patient/${veteran.id}/$everything`)), ["a"])
    }
  )
})

describe("The operation $everything", () => {
  test("filters by types and storage time, and accepts only the token's patient", async () => {
    const { app, veteran } = await connected({
      Observation: [observation("a")],
      Condition: [resource("Condition", "c")],
      Patient: [resource("Patient", "p")]
    })
    const of = async (path: string) => idsOf(await get(service, app, path))
    assert.deepStrictEqual(await of("/Patient/p/$everything"), ["c", "a", "p"])
    assert.deepStrictEqual(await of("/Patient/p/%24everything?_type=Patient,Observation&_count=1"), ["a"])
    const before = await get(service, app, "/Patient/p/$everything")
    await sync(service, veteran, { Observation: "complete" }, {
      Observation: [observation("a", { status: "amended" })]
    })
    assert.deepStrictEqual(await of(`/Patient/${veteran.id}/$everything?_since=${before.json.meta.lastUpdated}`), ["a"])
    assertOutcome(await get(service, app, "/Patient/other/$everything"), "not-found", "There is no such resource.")
    const narrow = await connectApp(service, owner, veteran, { scope: "patient/Condition.r patient/Observation.s" })
    assert.deepStrictEqual(idsOf(await get(service, narrow, "/Patient/p/$everything")), ["c"])
  })

  test("neither repeats nor loses items that a sync between two pages leaves unchanged", async () => {
    const texts = ["a", "b", "c", "d", "e", "f"].map((id) => observation(id))
    const { app, veteran } = await connected({ Observation: texts })
    const first = await get(service, app, `/Patient/${veteran.id}/$everything?_count=3`)
    const changed = texts.filter((_, at) => at !== 1).concat(observation("aa"), observation("dd"))
    await sync(service, veteran, { Observation: "complete" }, { Observation: changed })
    const second = await get(service, app, first.json.link[1].url.slice(base.length))
    const third = await get(service, app, second.json.link[1].url.slice(base.length))
    assert.deepStrictEqual([idsOf(first), idsOf(second), idsOf(third)], [["a", "b", "c"], ["d", "dd", "e"], ["f"]])
  })
})
