import { describe, test } from "vitest"
import { needsFirefox, noFirefox, openRecordInFirefox } from "./Firefox.ts"
import { openPortal } from "./Portal.ts"
import { assertHeads, assertNotes, assertRows, sharePrinted, writeNotes } from "./record/Printed.ts"
import { letter, sheetsOf } from "./Sheets.ts"

const { portal, service } = await openPortal()

describe.skipIf(noFirefox)(`A record printed by Firefox${needsFirefox}`, () => {
  test("Each sheet has name, birth date and who printed it, and each row and note is whole", async () => {
    const shared = await sharePrinted(service, 150)
    await writeNotes(service, shared, 40)
    const page = await openRecordInFirefox(portal, shared)
    const sheets = await sheetsOf(await page.pdf(letter))
    assertHeads(sheets)
    assertNotes(sheets, 40)
    assertRows(sheets, 150)
  })
})
