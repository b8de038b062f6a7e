import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SearchedTexts } from "../../../src/services/record/SearchedTexts.ts"
import { classify } from "../../../src/services/record/SensitiveCodes.ts"
import { patientTexts } from "../../support/Collection.ts"

const patients: ReadonlyArray<readonly [patient: string, expected: Record<string, number>]> = [
  ["syn-christian753-bruen238", { drug_abuse: 1, alcohol_abuse: 212 }],
  ["syn-delicia67-mueller846", { alcohol_abuse: 132, hiv: 6 }],
  ["syn-elisa944-johnson679", { drug_abuse: 22, alcohol_abuse: 23 }],
  ["syn-harry448-botsford977", { drug_abuse: 19, alcohol_abuse: 16 }],
  ["syn-kristie55-treutel973", { alcohol_abuse: 156 }],
  ["syn-marine542-upton904", { drug_abuse: 103, alcohol_abuse: 628 }],
  ["syn-soledad678-guzman14", { hiv: 9 }],
  ["syn-yang129-eichmann909", { drug_abuse: 10 }],
  ["va-florentino8-raynor401", {}],
  ["va-sheba703-harris789", {}],
  ["hl7-example", {}]
]

describe("SensitiveCodes over real records", () => {
  it.effect.each(patients)("the patient %s has %j", ([patient, expected]) =>
    Effect.sync(() => {
      const counts: Record<string, number> = {}
      const texts = new SearchedTexts()
      for (const text of Object.values(patientTexts(patient)).flat()) {
        const resource = JSON.parse(text)
        const categories = classify(resource)
        assert.deepStrictEqual(classify(resource, undefined, texts), categories)
        for (const category of categories) counts[category] = (counts[category] ?? 0) + 1
      }
      assert.deepStrictEqual(counts, expected)
    }))
})
