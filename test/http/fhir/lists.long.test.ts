import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { readAccount } from "../ledger/Account.ts"
import { get, idsOf, observation, pages, syncAndConnect } from "./Apps.ts"
import { assertOutcome } from "./Judged.ts"

const database = await openDatabase()

/** Stores the records, and takes the memory that syncs take. */
const writer = await openService(database)

const service = await openService(database, { OAUTH_ISSUER: `${writer.url}/api/oauth` })

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const mebibyte = 1024 * 1024

const memory = async () => {
  const status = await readFile(`/proc/${service.process.pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
}

const item = (resourceType: string, id: string, members: object = {}) =>
  JSON.stringify({ resourceType, id, ...members })

const many = (make: (n: number) => string, length = 20_000) => Array.from({ length }, (_, n) => make(n))

const includedIn = (json: any): ReadonlyArray<string> =>
  (json.entry ?? []).flatMap(({ resource, search }: any) => search.mode === "include" ? [resource.id] : [])

const outcomesIn = (json: any): ReadonlyArray<string> =>
  (json.entry ?? []).flatMap(({ resource, search }: any) => search.mode === "outcome" ? [resource.issue[0].code] : [])

describe("With 20,000 items of a type", async () => {
  const text = randomBytes(1200).toString("hex")
  const dated = (n: number) => new Date(Date.UTC(2000, 0, 1 + n % 7000)).toISOString()
  const records: Texts = {
    Observation: many((n) => observation(`o${n}`, { effectiveDateTime: dated(n), note: [{ text }] })),
    Provenance: many((n) => item("Provenance", `p${n}`, { target: [{ reference: `Observation/o${n}` }] })),
    Medication: many((n) => item("Medication", `m${n}`, { text: { div: text } })),
    // One page of them is enough.
    MedicationRequest: many(
      (n) => item("MedicationRequest", `r${n}`, { medicationReference: { reference: `Medication/m${n}` } }),
      1500
    )
  }
  const { app, veteran } = await syncAndConnect(writer, owner, {})
  for (const [type, texts] of Object.entries(records)) {
    await sync(writer, veteran, { [type]: "complete" }, { [type]: texts })
  }

  test.each<readonly [path: string, matches: number, included: number]>([
    ["/Observation?_sort=-date&_count=1000", 1000, 0],
    ["/Observation?_sort=date&status=final&date=ge2001&_count=10", 10, 0],
    ["/Observation?_sort=-_lastUpdated&_count=1000", 1000, 0],
    ["/Observation?status=amended&_count=0", 0, 0],
    ["/Observation?_sort=-date&_revinclude=Provenance:target&_count=1000", 1000, 1000],
    ["/MedicationRequest?_include=MedicationRequest:medication&_count=1000", 1000, 1000]
  ])("%s is answered in bounded memory, and others are answered meanwhile", async (path, matches, included) => {
    await get(service, app, "/Observation?_count=1")
    const before = await memory()
    const crowd = { isOver: false }
    const asked = Promise.all(Array.from({ length: 3 }, () => get(service, app, path)))
      .finally(() => crowd.isOver = true)
    let most = before
    do {
      assert.strictEqual((await call(service, "GET", "/health")).status, 200)
      most = Math.max(most, await memory())
    } while (!crowd.isOver)
    const answers = await asked
    // A client that asks for a lot at once may be told to try again.
    assert.deepStrictEqual(answers.filter(({ status }) => status !== 200 && status !== 503), [])
    const whole = answers.filter(({ status }) => status === 200)
    assert.isAtLeast(whole.length, 1)
    for (const { json } of whole) {
      assert.deepStrictEqual([idsOf({ json }).length, includedIn(json).length], [matches, included])
    }
    // Each request reads texts of up to 50 MB.
    assert.isBelow(most - before, 150)
  })
})

test.each([
  ["20,000 items", 20_000, 40],
  ["64 MiB", 64, mebibyte]
])(
  "A search with _sort is too costly for a type of over %s, and does not say so of what is withheld",
  async (_, most, bytes) => {
    const { app, veteran } = await syncAndConnect(writer, owner, { Goal: [] })
    const insert = (categories: string, from: number, count: number) =>
      superuser.query(
        `insert into health_record_items
         (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, own_categories, sensitive_categories)
       select gen_random_uuid(), $1, 'Goal', 'g' || n, convert_to(repeat('x', $5), 'UTF8'), sha256(''), $2, $2
       from generate_series($3::int, $4::int) n`,
        [veteran.id, categories, from, from + count - 1, bytes]
      )
    await insert("{hiv}", 1, most + 1)
    assert.strictEqual((await get(service, app, "/Goal?_sort=-date")).json.total, 0)
    await insert("{}", 100_001, most)
    assert.strictEqual((await get(service, app, "/Goal?_sort=-_lastUpdated&_count=0")).json.total, most)
    await insert("{}", 200_001, 1)
    for (const order of ["-date", "_lastUpdated"]) {
      const answer = await get(service, app, `/Goal?_sort=${order}`)
      assert.strictEqual(answer.status, 400)
      assertOutcome(
        answer,
        "too-costly",
        "This type has over 20,000 items or 64 MiB, which is too much to sort: search without '_sort'."
      )
    }
  }
)

describe("A page that includes", () => {
  test("ends at about 4 MB of included items, and says so", async () => {
    const data = randomBytes(mebibyte / 2).toString("hex")
    const ids = ["1", "2", "3", "4", "5", "6"]
    const { app } = await syncAndConnect(writer, owner, {
      Medication: ids.map((id) => item("Medication", `m${id}`, { text: { div: data } })),
      MedicationRequest: ids.map((id) =>
        item("MedicationRequest", `r${id}`, { medicationReference: { reference: `Medication/m${id}` } })
      )
    })
    const path = "/MedicationRequest?_include=MedicationRequest:medication"
    const { json } = await get(service, app, path)
    assert.deepStrictEqual([idsOf({ json }).length, includedIn(json)], [6, ["m1", "m2", "m3", "m4"]])
    assert.deepStrictEqual(outcomesIn(json), ["incomplete"])
    const few = await get(service, app, `${path}&_count=3`)
    assert.deepStrictEqual([includedIn(few.json), outcomesIn(few.json)], [["m1", "m2", "m3"], []])
  })

  test("opens at most about 32 MiB to find them, and says so", async () => {
    const note = { note: "x".repeat(12 * mebibyte) }
    const mention = (id: string) =>
      item("Provenance", id, { target: [], entity: [{ what: { reference: "Observation/o" } }], ...note })
    const target = (id: string) => item("Provenance", id, { target: [{ reference: "Observation/o" }] })
    const { app } = await syncAndConnect(writer, owner, {
      Observation: [observation("o")],
      Provenance: [target("a"), mention("b"), mention("c"), mention("d"), target("e")]
    })
    const { json } = await get(service, app, "/Observation?_revinclude=Provenance:target")
    assert.deepStrictEqual([includedIn(json), outcomesIn(json)], [["a"], ["incomplete"]])
  })
})

test("A large item takes its page, although it is small where it is stored", async () => {
  const wide = (resourceType: string, id: string) =>
    JSON.stringify({ resourceType, id, note: [{ text: "x".repeat(9 * 1024 * 1024) }] })
  const { app, veteran } = await syncAndConnect(writer, owner, {
    Basic: [wide("Basic", "a")],
    Observation: [wide("Observation", "b"), wide("Observation", "c")]
  })
  const pagesOf = async (path: string) => (await pages(writer, app, path)).map(idsOf)
  assert.deepStrictEqual(await pagesOf(`/Patient/${veteran.id}/$everything`), [["a", "b"], ["c"]])
  for (const order of ["", "?_sort=_lastUpdated", "?_sort=-date"]) {
    assert.deepStrictEqual(await pagesOf(`/Observation${order}`), [["b"], ["c"]])
  }
  const { json } = await readAccount(writer, veteran, "?kind=oauth_access_used&limit=200")
  assert.deepStrictEqual(json.items.at(-1).resourceTypes, { Basic: 1, Observation: 1, Patient: 1 })
})
