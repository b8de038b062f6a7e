import { assert, describe, it } from "@effect/vitest"
import { categoryNames, statements, substanceUseNotice } from "../../../src/domain/ReleaseStatements.ts"
import { notSearched } from "../../../src/domain/SensitiveCategory.ts"
import { contentOf, rendered, signedAt } from "../pdf/Pdf.ts"
import { letters } from "../pdf/PdfTools.ts"
import { acceptedAt, drawing, textOf } from "./DocumentTexts.ts"

const veteransCopy = (withheld: Record<string, number> = {}) =>
  ({ for: "veteran", withheld: new Map(Object.entries(withheld)) }) as const

describe("The two copies", () => {
  const withheld = { Condition: 2, MedicationRequest: 1234, Immunization: 7 }

  it("differ only at the top, in section G and in section I", async () => {
    const [recipient, veteran] = await Promise.all([
      textOf(contentOf()),
      textOf(contentOf({}, veteransCopy(withheld)))
    ])
    assert.include(recipient, "No category of specially protected information was added to this release.")
    assert.notMatch(recipient, /withheld|not released|Not released|Veteran’s copy|drug|HIV|sickle|2\.32|42 CFR/i)
    assert.include(veteran, "Drug abuse Not released Alcoholism or alcohol abuse Not released")
    assert.include(veteran, "immunodeficiency Not released virus (HIV) Sickle cell anemia Not released")
    assert.include(veteran, "Veteran’s copy For you alone")
    assert.include(letters(veteran), letters(notSearched))
    assert.notInclude(letters(recipient), letters(notSearched))
    assert.include(veteran, "12 items, as of 2026-11-21 17:05 UTC; 2 more withheld")
    assert.include(veteran, "1 item, as of 2026-11-21 17:05 UTC; 1,234 more withheld")
    assert.notInclude(veteran, "7 more")
    const alike = (text: string) =>
      [...statements, "H. Signature Signed by", "B. From whom"].filter((part) => letters(text).includes(letters(part)))
    assert.deepStrictEqual(alike(recipient), alike(veteran))
  })

  it("show which specially protected categories were released, with the notice of 42 CFR 2.32", async () => {
    const sensitiveCategories = [{ category: "sickle_cell", acceptedAt }, {
      category: "drug_abuse",
      acceptedAt
    }] as const
    const recipient = await textOf(contentOf({ sensitiveCategories }))
    assert.include(
      recipient,
      `${categoryNames.drug_abuse} Released, accepted 2026-11-21 17:04 UTC Sickle cell anemia Rel`
    )
    assert.notMatch(recipient, /alcohol|HIV/i)
    assert.include(recipient, substanceUseNotice)
    const veteran = await textOf(contentOf({ sensitiveCategories }, veteransCopy()))
    assert.include(veteran, `${categoryNames.alcohol_abuse} Not released`)
    const withoutSubstances = contentOf({ sensitiveCategories: [{ category: "hiv", acceptedAt }] })
    assert.notInclude(await textOf(withoutSubstances), "42 CFR")
  })

  it("differ, but the recipient's has the same bytes each time, even if other copies are made in between", async () => {
    const first = await rendered(contentOf({}, { for: "recipient" }, drawing))
    await rendered(contentOf({ veteran: { fullName: "Ẹ̀bùn Ǫ́ fi ffi Ελένη", dateOfBirth: "1970-01-01" } }))
    await rendered(contentOf({}, veteransCopy(withheld), drawing))
    const second = await rendered(contentOf({}, { for: "recipient" }, drawing))
    assert.isTrue(first.equals(second))
    const veteran = await rendered(contentOf({}, veteransCopy(), drawing))
    assert.isFalse(first.equals(veteran))
  })

  it("do not reveal when each was made", async () => {
    const pdf = (await rendered(contentOf())).toString("latin1")
    assert.include(pdf, signedAt)
    assert.strictEqual(pdf.match(/<xmp:\w+Date>[^<]*/g)!.filter((date) => !date.endsWith(signedAt)).length, 0)
  })
})
