import { readFileSync } from "node:fs"
import { assert, test } from "vitest"
import { fixtureRow } from "./Rows.ts"

/** Resources of test/fixtures/clinical with the rows that a reader must see: a patient, a resource, and its lines. */
const rows = readFileSync(new URL("fixture-rows.txt", import.meta.url), "utf8").split(/^## /m).slice(1).map((part) => {
  const [, patient, reference, row] = /^(\S+) (\S+)\n(.*)\n$/s.exec(part)!
  return [patient!, reference!, row!] as const
})

test.each(rows)("%s: the row of %s", (patient, reference, row) => {
  assert.strictEqual(fixtureRow(patient, reference), row)
})
