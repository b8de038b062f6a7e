import { createSecretKey } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { VeteranId } from "../../../src/domain/Id.ts"
import { openScratch } from "../../../src/services/document/ScratchFile.ts"
import { storeFolders } from "../../../src/services/document/StoreFolders.ts"
import { seal } from "../../../src/services/platform/Envelope.ts"
import { placeOf } from "../../../src/services/platform/SealedColumns.ts"
import { makeBounds, ReleaseTooLarge } from "../../../src/services/release/ReleaseBounds.ts"
import { type ItemPage, readRecord } from "../../../src/services/release/ReleasedRecord.ts"

const veteranId = VeteranId.make("0190a000-0000-7000-8000-000000000001")

const keyOf = (id: string, fill: number) => ({ id, key: createSecretKey(Buffer.alloc(32, fill)) })

const [older, newer, unknown] = [keyOf("older", 1), keyOf("newer", 2), keyOf("unknown", 3)]

interface Sealed {
  readonly name: string
  readonly envelope: Uint8Array
}

const sealed = (name: string, text: string | Uint8Array, key = newer): Sealed => {
  const [type, id] = name.split("/") as [string, string]
  const place = placeOf("health_record_items", "raw_ciphertext", veteranId, type, id)
  return { name, envelope: seal(key, place, Buffer.from(text)) }
}

const pageOf = (items: ReadonlyArray<Sealed>): ItemPage =>
  items.map(({ envelope, name }) => {
    const [resourceType, fhirId] = name.split("/") as [string, string]
    return { resourceType, fhirId, envelope }
  })

type Range = Parameters<typeof readRecord>[2]["range"]

const veteran = { fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" }

const always: Range = { dateFrom: null, dateTo: null }

const frame = { documentId: "d", signedAt: "2026-11-22T10:00:00.000Z", base: "https://records.example" }

/** Reads pages of items like a worker process, and returns what a release of them would carry. */
const released = async (pages: ReadonlyArray<ReadonlyArray<Sealed>>, range = always, count = makeBounds(0)) => {
  const root = await mkdtemp(join(tmpdir(), "vrss-released-"))
  const scratch = await openScratch(storeFolders(root))
  try {
    const iterable = async function*() {
      for (const page of pages) yield pageOf(page)
    }
    const read = await readRecord(iterable(), scratch, { veteranId, veteran, keys: [newer, older], range, count })
    const record = read.record(frame)
    const texts = new Map<string, string>()
    for (const entry of record.entries) texts.set(`${entry.resourceType}/${entry.fhirId}`, await record.text(entry))
    const bundle: Array<Uint8Array> = []
    for await (const piece of record.bundle()) bundle.push(piece)
    return {
      texts,
      names: record.entries.map(({ reference }) => reference),
      bundle: Buffer.concat(bundle).toString(),
      undated: record.undated,
      unopened: read.unopened
    }
  } finally {
    await scratch.close()
    await rm(root, { recursive: true })
  }
}

describe("The record that a release carries", () => {
  test("groups results with the same code, even if their display texts differ", async () => {
    const glucose = (id: string, display: string, date: string) =>
      sealed(
        `Observation/${id}`,
        JSON.stringify({
          resourceType: "Observation",
          id,
          category: [{ coding: [{ code: "laboratory" }] }],
          code: { coding: [{ system: "http://loinc.org", code: "2339-0", display }] },
          effectiveDateTime: date
        })
      )
    const other = sealed(
      "Observation/h",
      `{"resourceType":"Observation","id":"h","category":[{"coding":[{"code":"laboratory"}]}],"code":{"text":"Hemoglobin"},"effectiveDateTime":"2021"}`
    )
    const { names } = await released([[glucose("a", "Glucose", "2019"), other, glucose("b", "Sugar in blood", "2020")]])
    assert.deepStrictEqual(names, ["Observation/b", "Observation/a", "Observation/h"])
  })

  test("has every item's exact text, whichever known key sealed it and however long it is", async () => {
    const texts = new Map([
      ["Condition/a", `{ "resourceType":"Condition", "n": 1.00 }`],
      ["Condition/b", `{"resourceType":"Condition","note":"${"é".repeat(300_000)}"}`],
      ["Observation/a", `{"resourceType":"Observation","valueQuantity":{"value":-1.000000000000000000E+245}}`]
    ])
    const [a, b, c] = [...texts].map(([name, text], n) => sealed(name, text, n === 0 ? older : newer))
    const { bundle, texts: found, undated, unopened } = await released([[a!, b!], [c!], []])
    assert.deepStrictEqual(found, texts)
    assert.deepStrictEqual([undated, unopened], [0, 0])
    for (const text of texts.values()) assert.include(bundle, `"resource":${text}}`)
  })

  test("carries a resource of more than 32 MiB without reading it", async () => {
    const text = `{"resourceType":"Condition","note":"${"a".repeat(32 * 1024 * 1024)}"}`
    const { bundle, texts } = await released([[sealed("Condition/a", text), sealed("Condition/b", "{}")]])
    assert.deepStrictEqual([...texts], [["Condition/a", ""], ["Condition/b", "{}"]])
    assert.isTrue(bundle.includes(`"resource":${text}}`))
  })

  test("is made even if some items cannot be opened or are not JSON, with a row for each of them", async () => {
    const moved = { ...sealed("Condition/x", "{}"), name: "Condition/moved" }
    const cut = { ...sealed("Condition/cut", "{}"), envelope: new Uint8Array(3) }
    const { bundle, names, texts, unopened } = await released([[
      sealed("Condition/key", "{}", unknown),
      moved,
      cut,
      sealed("Condition/text", "no JSON"),
      sealed("Condition/whole", "{}")
    ]])
    assert.deepStrictEqual(names.toSorted(), [
      "Condition/cut",
      "Condition/key",
      "Condition/moved",
      "Condition/text",
      "Condition/whole"
    ])
    assert.strictEqual(unopened, 3)
    assert.strictEqual(texts.get("Condition/moved"), "")
    assert.notInclude(bundle, "moved")
    assert.include(bundle, "/Condition/whole")
  })

  test("does not parse a resource with too many values, but carries it", async () => {
    // Each "[]," counts as two values, and the text around them as three. At most 200,000 are parsed, so 99,999 arrays
    // are one value too many.
    const rich = (arrays: number) => `{"resourceType":"Condition","x":[${"[],".repeat(arrays)}0]}`
    const found = await released([[
      sealed("Condition/rich", rich(99_999)),
      sealed("Condition/fits", rich(99_998)),
      sealed("Condition/long", `{"note":"${"x".repeat(1_000_000)}"}`)
    ]])
    assert.deepStrictEqual([found.texts.get("Condition/rich"), found.texts.get("Condition/fits")], ["", rich(99_998)])
    assert.strictEqual(found.texts.get("Condition/long")!.length, 1_000_011)
    assert.include(found.bundle, rich(99_999))
  })

  test.each<readonly [string, Range, ReadonlyArray<string>, number]>([
    ["no range", always, ["born", "early", "late", "month", "never", "none", "period", "year"], 0],
    ["a range", { dateFrom: "2020-02-01", dateTo: "2020-03-31" }, ["born", "month", "period", "year"], 2],
    ["a range without an end", { dateFrom: "2021-01-01", dateTo: null }, ["born", "late"], 2],
    ["a range without a beginning", { dateFrom: null, dateTo: "2020-01-01" }, ["born", "early", "year"], 2],
    ["one day", { dateFrom: "2020-03-31", dateTo: "2020-03-31" }, ["born", "month", "year"], 2]
  ])("with %s holds the items in range, and counts the undated items", async (_, range, expected, undated) => {
    const condition = (id: string, member: string, value: unknown) =>
      sealed(`Condition/${id}`, JSON.stringify({ resourceType: "Condition", [member]: value }))
    const found = await released([[
      condition("early", "onsetDateTime", "2020-01-01T23:59:59+14:00"),
      condition("late", "recordedDate", "2021-01-01"),
      condition("month", "onsetDateTime", "2020-03"),
      condition("year", "onsetDateTime", "2020"),
      condition("period", "onsetPeriod", { start: "2020-01-31", end: "2020-02-01" }),
      condition("none", "recordedDate", "yesterday"),
      condition("never", "code", {}),
      sealed("Patient/born", `{"resourceType":"Patient","birthDate":"1962-03-04"}`)
    ]], range)
    assert.deepStrictEqual([...found.texts.keys()].map((name) => name.split("/")[1]).sort(), [...expected])
    assert.strictEqual(found.undated, undated)
    assert.strictEqual((found.bundle.match(/"fullUrl"/g) ?? []).length, expected.length)
  })

  test("counts only the items in the range against its limit", async () => {
    // As many items as may precede the last two that a release of 20,000 items has room for.
    const almostFull = () => {
      const count = makeBounds(0)
      for (let items = 0; items < 19_998; items++) count(0)
      return count
    }
    const items = [2019, 2020, 2020].map((year, n) => sealed(`Condition/${n}`, `{"onsetDateTime":"${year}"}`))
    assert.strictEqual((await released([items], { dateFrom: "2020-01-01", dateTo: null }, almostFull())).texts.size, 2)
    const tooMany = await released([items], always, almostFull()).then(() => undefined, (error: unknown) => error)
    assert.instanceOf(tooMany, ReleaseTooLarge)
  })
})
