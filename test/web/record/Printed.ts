import { assert } from "vitest"
import { call } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { selfReport, share, type Shared } from "./Records.ts"
import { result, small } from "./Small.ts"

/** Records for print, and what holds for their sheets in every browser. */

/** Takes several lines of a cell, so that a row can be cut or split. */
export const long = `Finding of bilirubin in urine ${"that goes on and on ".repeat(9)}to its end`

/** A word that no line has room for. */
export const unbroken = "W".repeat(200)

const valueOf = (n: number) => n % 7 === 0 ? long : n === 1 ? unbroken : `${n} mg/dL`

/** The results "Test 0", "Test 1" and so on, some of them long. */
const results = (count: number): ReadonlyArray<string> =>
  Array.from(
    { length: count },
    (_, n) =>
      result(`r${n}`, { valueString: valueOf(n) }, { code: { text: `Test ${n}` }, effectiveDateTime: "2026-01-05" })
  )

/** The small record and as many results, shared by a patient who wrote seven entries. */
export const sharePrinted = async (service: Pick<Service, "url">, count: number) => {
  const shared = await share(service, { ...small, Observation: [...small["Observation"]!, ...results(count)] })
  for (let n = 0; n < 7; n++) await selfReport(service, shared.veteran, { category: "symptom", text: `Ache ${n}` })
  return shared
}

const noteText = (n: number) => `Note ${n} begins. ${"It goes on and on. ".repeat(20)}Note ${n} ends.`

/** Writes notes that take several sheets. */
export const writeNotes = async (service: Pick<Service, "url">, { provider, veteran }: Shared, count: number) => {
  for (let n = 0; n < count; n++) {
    const path = `/api/provider/patients/${veteran.id}/notes`
    const { status } = await call(service, "POST", path, { headers: provider.headers, body: { text: noteText(n) } })
    assert.strictEqual(status, 201)
  }
}

export const assertHeads = (sheets: ReadonlyArray<string>) => {
  for (const [index, sheet] of sheets.entries()) {
    assert.match(
      sheet,
      /Grace Hopper, born Sep 10, 1947 Printed \w+ \d+, \d+, \d+:\d\d [AP]M by Dr\. Ada Gray; shared until/,
      `sheet ${index + 1}`
    )
  }
}

/** Lines break within words, so that spaces are left out of the comparison. */
const dense = (text: string) => text.replaceAll(" ", "")

const sheetsWith = (sheets: ReadonlyArray<string>, text: string) =>
  sheets.filter((sheet) => dense(sheet).includes(dense(text))).length

/** Asserts that each row of the results is whole on one sheet. */
export const assertRows = (sheets: ReadonlyArray<string>, count: number) => {
  for (let n = 0; n < count; n++) {
    assert.strictEqual(sheetsWith(sheets, `Jan 5, 2026 Test ${n} ${valueOf(n)} Lab results Final`), 1, `Test ${n}`)
  }
}

/** Asserts that each note is whole on one sheet, apart from its row in the table. */
export const assertNotes = (sheets: ReadonlyArray<string>, count: number) => {
  for (let n = 0; n < count; n++) {
    assert.strictEqual(sheetsWith(sheets, `${noteText(n)} Dr. Ada Gray, `), 1, `Note ${n}`)
  }
}
