import { assert, describe, test } from "vitest"
import { openJudgedApp } from "../../support/Prism.ts"
import { sync } from "../../support/Sync.ts"
import { connectApp, get, idsOf, observation, pages, syncAndConnect } from "./Apps.ts"

const { database, service } = await openJudgedApp()

const owner = await database.connect("owner")

const dated = (type: string, id: string, members: object) => JSON.stringify({ resourceType: type, id, ...members })

describe("A search with _sort", async () => {
  const { app } = await syncAndConnect(service, owner, {
    Observation: [
      observation("a", { effectiveDateTime: "2020-05" }),
      observation("b"),
      observation("c", { effectivePeriod: { start: "2019-01-01", end: "2024-01-01" } }),
      observation("d", { effectiveDateTime: "2021-03-01T10:00:00-05:00", status: "amended" }),
      observation("e", { effectiveDateTime: "2021-03-01T12:00:00Z" }),
      observation("f", { effectiveDateTime: "soon" }),
      observation("g", { effectiveDateTime: "2020-05-01" })
    ],
    Condition: [
      dated("Condition", "old", { onsetDateTime: "2001" }),
      dated("Condition", "new", { onsetPeriod: { end: "2009" } }),
      dated("Condition", "none", { recordedDate: "1999" })
    ],
    MedicationRequest: [
      dated("MedicationRequest", "old", { authoredOn: "2001" }),
      dated("MedicationRequest", "new", { authoredOn: "2009" })
    ],
    Goal: [dated("Goal", "x", { target: [{ dueDate: "2005" }, { dueDate: "2010" }] }),
      dated("Goal", "y", { target: [{ dueDate: "2007" }] })],
    Organization: [dated("Organization", "o", {})]
  })

  const of = async (path: string) => idsOf(await get(service, app, path))

  test.each([
    ["/Observation?_sort=date", ["c", "a", "g", "e", "d", "b", "f"]],
    ["/Observation?_sort=-date", ["d", "e", "a", "g", "c", "b", "f"]],
    ["/Observation?_sort=-date&_count=2", ["d", "e"]],
    ["/Observation?_sort=-date&status=final&_count=2", ["e", "a"]],
    ["/Observation?_sort=-date&_id=a,b,e", ["e", "a", "b"]],
    ["/Observation?_sort=-date&date=lt2020", ["c"]],
    ["/Observation?_sort=-date&patient=somebody-else", []],
    ["/Observation?_sort=_lastUpdated", ["a", "b", "c", "d", "e", "f", "g"]],
    ["/Condition?_sort=date", ["old", "new", "none"]],
    ["/Condition?_sort=-date", ["new", "old", "none"]],
    ["/Condition?_sort=-onset-date", ["new", "old", "none"]],
    ["/MedicationRequest?_sort=-date", ["new", "old"]],
    ["/MedicationRequest?_sort=authoredon", ["old", "new"]],
    ["/Goal?_sort=date", ["x", "y"]],
    ["/Goal?_sort=-date", ["x", "y"]]
  ])("orders items by their first moment, and those without a date last: %s", async (path, ids) => {
    assert.deepStrictEqual(await of(path), ids)
  })

  test.each([
    "/Observation?_sort=",
    "/Observation?_sort=code",
    "/Observation?_sort=--date",
    "/Observation?_sort=date,_id",
    "/Observation?_sort=onset-date",
    "/Organization?_sort=date",
    "/Observation?_sort=date&_sort=date"
  ])("is refused for another value: %s", async (path) => {
    for (const headers of [{}, { prefer: "handling=strict" }]) {
      const answer = await get(service, app, path, headers)
      assert.strictEqual(answer.status, 400)
      assert.deepStrictEqual(answer.json.issue.map(({ code }: any) => code), ["invalid"])
    }
  })

  test("has a total, and a link to itself and to the next page with the order in it", async () => {
    const { json } = await get(service, app, "/Observation?_sort=-date&_count=3")
    assert.strictEqual(json.total, 7)
    const [self, next] = json.link.map(({ url }: any) => new URL(url).searchParams)
    assert.deepStrictEqual([self.get("_sort"), next.get("_sort")], ["-date", "-date"])
    const filtered = await get(service, app, "/Observation?_sort=-date&_count=3&status=final")
    assert.isUndefined(filtered.json.total)
    assert.strictEqual((await get(service, app, "/Observation?_sort=-date&status=final")).json.total, 6)
    assert.strictEqual((await get(service, app, "/Observation?_sort=-date&_count=0")).json.total, 7)
    // A cursor belongs to its order.
    const cursor = next.get("_cursor")
    assert.strictEqual((await get(service, app, `/Observation?_sort=date&_count=3&_cursor=${cursor}`)).status, 400)
  })

  test.each(["date", "-date", "_lastUpdated", "-_lastUpdated"])(
    "neither repeats nor loses an item that a sync between two pages leaves unchanged: %s",
    async (order) => {
      const texts = Array.from(
        { length: 9 },
        (_, n) => observation(`i${n}`, n % 4 === 3 ? {} : { effectiveDateTime: `20${10 + n % 3}` })
      )
      const record = await syncAndConnect(service, owner, { Observation: texts })
      const path = `/Observation?_sort=${order}&_count=2`
      const whole = (await pages(service, record.app, path)).flatMap(idsOf)
      assert.sameMembers(whole, texts.map((text) => JSON.parse(text).id))
      assert.deepStrictEqual(whole, [...idsOf(await get(service, record.app, `/Observation?_sort=${order}`))])
      const first = await get(service, record.app, path)
      const changed = [observation("i0", { status: "amended" }), ...texts.slice(1), observation("i00")]
      await sync(service, record.veteran, { Observation: "complete" }, { Observation: changed })
      const next = first.json.link[1].url.slice(first.json.link[1].url.indexOf("/Observation"))
      const rest = (await pages(service, record.app, next)).flatMap(idsOf)
      const unchanged = [...idsOf(first), ...rest].filter((id) => !["i0", "i00"].includes(id))
      assert.deepStrictEqual(unchanged, whole.filter((id) => id !== "i0"))
    }
  )

  test("by _lastUpdated puts first or last what was stored later", async () => {
    const texts = ["a", "b", "c"].map((id) => observation(id))
    const record = await syncAndConnect(service, owner, { Observation: texts })
    await sync(service, record.veteran, { Observation: "complete" }, {
      Observation: [texts[0]!, observation("b", { status: "amended" }), texts[2]!]
    })
    const sorted = async (order: string) => idsOf(await get(service, record.app, `/Observation?_sort=${order}`))
    assert.deepStrictEqual(await sorted("_lastUpdated"), ["a", "c", "b"])
    assert.deepStrictEqual(await sorted("-_lastUpdated"), ["b", "a", "c"])
  })

  test("is limited by a scope's category", async () => {
    const category = [{ coding: [{ system: "http://kinds.example", code: "note" }] }]
    const record = await syncAndConnect(service, owner, {
      Observation: ["2001", "2003", "2002"].map((effectiveDateTime, n) =>
        observation(`i${n}`, { effectiveDateTime, ...n > 0 && { category } })
      )
    })
    const scope = "patient/Observation.rs?category=http://kinds.example|note"
    const narrow = await connectApp(service, owner, record.veteran, { scope, types: ["Observation"] })
    for (const order of ["date", "_lastUpdated"]) {
      const { json } = await get(service, narrow, `/Observation?_sort=${order}`)
      assert.sameMembers([...idsOf({ json })], ["i1", "i2"])
      assert.strictEqual(json.total, 2)
    }
  })
})
