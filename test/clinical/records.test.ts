import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { entryOf, rowOf } from "../../src/clinical/Reading.ts"
import type { Row } from "../../src/clinical/Row.ts"
import { inOrder, read, type RecordItem } from "../../src/clinical/Sections.ts"
import { patients } from "../support/Collection.ts"
import { seededRandom } from "../support/Random.ts"
import { isWhole, runs } from "../support/Runs.ts"
import { decimals, numbersOf } from "../support/SourceNumbers.ts"
import { mutilate } from "./Mutilation.ts"
import { awkward, recordOf } from "./SharedRecords.ts"

const records = patients.map((patient) => [patient, recordOf(patient)] as const)

/** Some resources of each type, from the whole record. */
const someOf = (items: ReadonlyArray<RecordItem>): ReadonlyArray<RecordItem> =>
  [...Map.groupBy(items, ({ resourceType }) => resourceType).values()].flatMap((ofType) =>
    ofType.filter((_, at) => at % Math.ceil(ofType.length / 20) === 0)
  )

const nowhere = () => undefined

const textsOf = (row: Row): ReadonlyArray<string> => [
  row.title,
  ...[row.code, row.status].filter((text) => text !== null),
  ...[...row.dates, ...row.details].flatMap(({ label, text }) => [label, text]),
  ...row.flags,
  row.reference,
  ...row.files.map(({ title }) => title)
]

/** Every string in the JSON, names of members included. */
const stringsOf = (json: unknown): ReadonlyArray<string> =>
  typeof json === "string"
    ? [json]
    : typeof json === "object" && json !== null
    ? Object.entries(json).flatMap(([name, value]) => [name, ...stringsOf(value)])
    : []

const forbidden = /\bundefined\b|\bnull\b|\bNaN\b|\[object|\bInfinity\b|function /

const assertReadable = (item: RecordItem) => {
  const entry = entryOf(item.resourceType, item.fhirId, item.text)
  const row = rowOf(item.resourceType, item.fhirId, item.text, nowhere)
  assert.strictEqual(row.reference, `${item.resourceType}/${item.fhirId}`)
  assert.strictEqual(entry.reference, row.reference)
  for (const text of [...textsOf(row), entry.title, ...(entry.groupTitle === null ? [] : [entry.groupTitle])]) {
    // A plain condition is faster than an assertion for each of hundreds of thousands of texts.
    if (typeof text !== "string" || text.trim() === "" || text.length > 8100) {
      assert.fail(`${text} in ${JSON.stringify(row)}`)
    }
    if (forbidden.test(text) && !stringsOf(JSON.parse(item.text)).some((source) => forbidden.test(source))) {
      assert.fail(`${text} in ${item.text.slice(0, 2000)}`)
    }
  }
  for (const { base64 } of row.files) assert.include(item.text.replaceAll("\\/", "/"), base64.slice(0, 100).trim())
  return row
}

/** Asserts that every shown decimal was sent, and that an observation shows every number that was sent. */
const assertDigits = (item: RecordItem, row: Row) => {
  const texts = textsOf(row).slice(1)
  for (const decimal of texts.flatMap(decimals)) {
    if (!item.text.includes(decimal)) assert.fail(`${decimal} in ${item.text}`)
  }
  if (item.resourceType === "Observation") {
    const shown = texts.join("\n")
    for (const number of numbersOf(item.text)) {
      if (!shown.includes(number)) assert.fail(`${number} of ${item.text}`)
    }
  }
}

describe("The shared records", () => {
  it.each(records)(
    "In %s, every resource has one row of readable texts, with the digits that were sent",
    (_, all) => {
      const items = isWhole ? all : someOf(all)
      for (const item of items) assertDigits(item, assertReadable(item))
      const rows = read(items).flatMap(({ groups }) =>
        groups.flatMap(({ rows }) => rows.map(({ reference }) => reference))
      )
      assert.deepStrictEqual(
        rows.toSorted(),
        items.map(({ fhirId, resourceType }) => `${resourceType}/${fhirId}`).toSorted()
      )
    }
  )

  it("Valid JSON that is odd FHIR has readable rows too", () => {
    assert.isAbove(awkward.length, 0)
    for (const item of awkward) assertDigits(item, assertReadable(item))
  })
})

describe("A mutilated resource", () => {
  // Each type is equally likely, so that rare types are tried too.
  const byType = [...Map.groupBy(records.flatMap(([, items]) => items), ({ resourceType }) => resourceType).values()]
  const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

  const mutilated = (seed: number): RecordItem => {
    const random = seededRandom(seed)
    const ofType = byType[Math.floor(random() * byType.length)]!
    const item = ofType[Math.floor(random() * ofType.length)]!
    return { ...item, text: JSON.stringify(mutilate(JSON.parse(item.text), random)) }
  }

  it.effect.prop(
    "A mutilated resource has one row, which never shows words such as undefined or NaN",
    { seed: Seed },
    ({ seed }) =>
      Effect.sync(() => {
        const item = mutilated(seed)
        assertReadable(item)
        assert.lengthOf(read([item]).flatMap(({ groups }) => groups.flatMap(({ rows }) => rows)), 1)
      }),
    { arbitrary: { runs: runs(700) } }
  )

  it.effect.prop(
    "A mutilated resource has a place that does not depend on the order of the input",
    { seed: Seed },
    ({ seed }) =>
      Effect.sync(() => {
        const random = seededRandom(seed)
        const entries = Array.from({ length: 30 }, (_, index) => {
          const { resourceType, text } = mutilated(seed + index)
          return entryOf(resourceType, `${index}`, text)
        })
        const shuffled = entries.map((entry) => [random(), entry] as const).sort(([a], [b]) => a - b).map(([, entry]) =>
          entry
        )
        assert.deepStrictEqual(inOrder(shuffled), inOrder(entries))
      }),
    { arbitrary: { runs: runs(100) } }
  )

  it.each(["null", "[]", "\"text\"", "1.00", "{}", "[{\"resourceType\":\"Observation\"}]", "no JSON", ""])(
    "The row of a resource whose text is %s says that it could not be read",
    (text) => {
      for (const resourceType of ["Observation", "Condition", "MedicationRequest", "DocumentReference", "Basic"]) {
        const row = assertReadableText(resourceType, text)
        assert.deepStrictEqual(row.details.at(-1), {
          label: "Note",
          text: "This resource could not be read as FHIR. It stands as it was received in record.fhir.json."
        })
      }
    }
  )
})

const assertReadableText = (resourceType: string, text: string) => {
  const row = rowOf(resourceType, "1", text, nowhere)
  assert.strictEqual(entryOf(resourceType, "1", text).title, row.title)
  return row
}
