import { assert } from "vitest"
import { entryOf, rowOf } from "../../src/clinical/Reading.ts"
import type { Row } from "../../src/clinical/Row.ts"
import { read, type RecordItem } from "../../src/clinical/Sections.ts"
import { decimals, numbersOf } from "../support/SourceNumbers.ts"

export const nowhere = () => undefined

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

export const assertReadable = (item: RecordItem) => {
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

/** Asserts that each resource has one row of readable texts, with the digits that were sent. */
export const assertRows = (items: ReadonlyArray<RecordItem>) => {
  for (const item of items) assertDigits(item, assertReadable(item))
  const rows = read(items).flatMap(({ groups }) => groups.flatMap(({ rows }) => rows.map(({ reference }) => reference)))
  assert.deepStrictEqual(
    rows.toSorted(),
    items.map(({ fhirId, resourceType }) => `${resourceType}/${fhirId}`).toSorted()
  )
}
