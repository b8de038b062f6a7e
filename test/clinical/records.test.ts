import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { entryOf, rowOf } from "../../src/clinical/Reading.ts"
import { inOrder, read, type RecordItem } from "../../src/clinical/Sections.ts"
import { patients } from "../support/Collection.ts"
import { seededRandom } from "../support/Random.ts"
import { mutilate } from "./Mutilation.ts"
import { assertReadable, assertRows, nowhere } from "./ReadableRows.ts"
import { awkward, recordOf } from "./SharedRecords.ts"

const records = patients.map((patient) => [patient, recordOf(patient)] as const)

/** Some resources of each type, from the whole record. */
const someOf = (items: ReadonlyArray<RecordItem>): ReadonlyArray<RecordItem> =>
  [...Map.groupBy(items, ({ resourceType }) => resourceType).values()].flatMap((ofType) =>
    ofType.filter((_, at) => at % Math.ceil(ofType.length / 20) === 0)
  )

describe("The shared records", () => {
  it.each(records)("In %s, some resources of each type have readable rows", (_, all) => assertRows(someOf(all)))

  it("Valid JSON that is odd FHIR has readable rows too", () => {
    assert.isAbove(awkward.length, 0)
    assertRows(awkward)
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
    { arbitrary: { runs: 100 } }
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
    { arbitrary: { runs: 10 } }
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
