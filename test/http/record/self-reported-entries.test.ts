import { randomUUID } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"

const path = "/api/veteran/me/self-reported-entries"

const { database, service } = await openApp()

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const create = (body: unknown, { headers } = veteran) => call(service, "POST", path, { headers, body })

const change = (id: string, body: unknown, { headers } = veteran) =>
  call(service, "PATCH", `${path}/${id}`, { headers, body })

const remove = (id: string, { headers } = veteran) => call(service, "DELETE", `${path}/${id}`, { headers })

const list = (query = "", { headers } = veteran) => call(service, "GET", `${path}${query}`, { headers })

describe("Self-reported entries", () => {
  test.each(["symptom", "medication", "allergy", "vital", "note"])(
    "are created and listed in the category %s",
    async (category) => {
      const text = "Knee pain after stairs; 37.5 °C 🌡 <b>&"
      const created = await create({ category, text, occurredOn: "2026-02-28" })
      assert.strictEqual(created.status, 201)
      const { createdAt, id, updatedAt, ...rest } = created.json
      assert.deepStrictEqual(rest, { category, text, occurredOn: "2026-02-28" })
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      for (const time of [createdAt, updatedAt]) assert.strictEqual(new Date(time).toISOString(), time)
      const listed = await list()
      assert.strictEqual(listed.status, 200)
      assert.deepStrictEqual(listed.json, { items: [created.json], nextCursor: null })
    }
  )

  test("need no date", async () => {
    assert.strictEqual((await create({ category: "note", text: "x" })).json.occurredOn, null)
    assert.strictEqual((await create({ category: "note", text: "x", occurredOn: null })).json.occurredOn, null)
    assert.strictEqual(
      (await create({ category: "note", text: "x", occurredOn: "2024-02-29" })).json.occurredOn,
      "2024-02-29"
    )
  })

  test("may have 10,000 characters, all of which are kept", async () => {
    const text = `é\u{2028}\t"\\${"ж".repeat(9_995)}`
    const created = await create({ category: "note", text })
    assert.strictEqual(created.status, 201)
    assert.strictEqual((await list()).json.items[0].text, text)
  })

  test("of 10,000 characters make pages of about 4 MB", async () => {
    // Each of these characters has three bytes in UTF-8, so 134 entries have 4 MB.
    const text = "日".repeat(10_000)
    for (let n = 0; n < 15; n++) {
      await Promise.all(Array.from({ length: 10 }, () => create({ category: "note", text })))
    }
    const first = (await list("?limit=200")).json
    assert.lengthOf(first.items, 134)
    const second = (await list(`?limit=200&cursor=${first.nextCursor}`)).json
    assert.lengthOf(second.items, 16)
    assert.isNull(second.nextCursor)
    const ids = [...first.items, ...second.items].map(({ id }: any) => id)
    assert.strictEqual(new Set(ids).size, 150)
  })

  const wrong: ReadonlyArray<readonly [string, unknown, ReadonlyArray<string>]> = [
    ["an unknown category", { category: "diagnosis", text: "x" }, ["category"]],
    ["no category", { text: "x" }, ["category"]],
    ["no text", { category: "note" }, ["text"]],
    ["a blank text", { category: "note", text: " \n\t " }, ["text"]],
    ["10,001 characters", { category: "note", text: "x".repeat(10_001) }, ["text"]],
    ["NUL", { category: "note", text: "a\0b" }, ["text"]],
    ["a lone surrogate", `{"category":"note","text":"a\\ud83db"}`, ["text"]],
    ["a text that is a number", { category: "note", text: 5 }, ["text"]],
    ["a date that does not exist", { category: "note", text: "x", occurredOn: "2026-02-30" }, ["occurredOn"]],
    ["a leap day in another year", { category: "note", text: "x", occurredOn: "2025-02-29" }, ["occurredOn"]],
    ["a year that does not exist", { category: "note", text: "x", occurredOn: "0000-01-01" }, ["occurredOn"]],
    ["a time", { category: "note", text: "x", occurredOn: "2026-02-28T00:00:00Z" }, ["occurredOn"]],
    ["an empty date", { category: "note", text: "x", occurredOn: "" }, ["occurredOn"]],
    ["an unknown member", { category: "note", text: "x", veteranId: randomUUID() }, ["veteranId"]],
    ["a list", [{ category: "note", text: "x" }], []]
  ]

  test.each(wrong)("are refused with %s, also in a change", async (_, body, path) => {
    const refused = await create(body)
    assert.deepStrictEqual([refused.status, refused.json.error], [400, "invalid_request"])
    assert.deepInclude(refused.json.issues.map((issue: any) => issue.path), path)
    assert.deepStrictEqual((await list()).json.items, [])
    if (path.length === 0 || !JSON.stringify(body).includes(`"${path[0]}"`)) return
    const { json: before } = await create({ category: "vital", text: "before" })
    assert.strictEqual((await change(before.id, body)).status, 400)
    assert.deepStrictEqual((await list()).json.items, [before])
  })

  test("keep the members that a change does not name", async () => {
    const { json: before } = await create({ category: "symptom", text: "Cough", occurredOn: "2026-01-02" })
    const steps = [
      [{ text: "Dry cough" }, { text: "Dry cough" }],
      [{ category: "note" }, { category: "note" }],
      [{ occurredOn: "2026-01-03" }, { occurredOn: "2026-01-03" }],
      [{}, {}],
      [{ occurredOn: null }, { occurredOn: null }],
      [{ category: "vital", text: "Pulse 60", occurredOn: "2026-01-04" }, {
        category: "vital",
        text: "Pulse 60",
        occurredOn: "2026-01-04"
      }]
    ]
    let expected = before
    for (const [named, changed] of steps) {
      const answer = await change(before.id, named)
      assert.strictEqual(answer.status, 200)
      assert.isTrue(answer.json.updatedAt > expected.updatedAt)
      expected = { ...expected, ...changed, updatedAt: answer.json.updatedAt }
      assert.deepStrictEqual(answer.json, expected)
      assert.deepStrictEqual((await list()).json.items, [expected])
    }
  })

  test("keep all changes when several members are changed in parallel", async () => {
    const { json: before } = await create({ category: "symptom", text: "Cough", occurredOn: "2026-01-02" })
    const answers = await Promise.all([
      change(before.id, { text: "Dry cough" }),
      change(before.id, { category: "note" }),
      change(before.id, { occurredOn: null })
    ])
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200])
    const [after] = (await list()).json.items
    assert.deepStrictEqual([after.category, after.text, after.occurredOn], ["note", "Dry cough", null])
  })

  test("are gone once they are deleted", async () => {
    const { json: kept } = await create({ category: "note", text: "kept" })
    const { json: entry } = await create({ category: "note", text: "gone" })
    const removed = await remove(entry.id.toUpperCase())
    assert.deepStrictEqual([removed.status, removed.text], [204, ""])
    for (const answer of [await remove(entry.id), await change(entry.id, { text: "back" })]) {
      assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"])
    }
    assert.deepStrictEqual((await list()).json.items, [kept])
  })

  test("are encrypted at rest, before and after a change", async () => {
    const { json: entry } = await create({ category: "note", text: "plainly secret words" })
    await change(entry.id, { text: "other secret words" })
    const superuser = await database.connect("superuser")
    const sql = "select * from self_reported_entries where id = $1"
    const { rows: [row] } = await superuser.query(sql, [entry.id])
    for (const value of Object.values(row)) {
      const readable = value instanceof Buffer ? value.toString("latin1") : `${value}`
      assert.notInclude(readable, "secret")
    }
    const moved =
      "update self_reported_entries set body_ciphertext = (select body_ciphertext from self_reported_entries where id = $2) where id = $1"
    const { json: another } = await create({ category: "note", text: "another" })
    await superuser.query(moved, [another.id, entry.id])
    const answer = await list()
    assert.deepStrictEqual([answer.status, answer.json.error], [500, "internal_error"])
    assert.notInclude(answer.text, "secret")
  })
})
