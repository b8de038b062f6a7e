import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { classify } from "../../../src/services/record/SensitiveCodes.ts"

const shared = new URL("../../../../shared/fhir/", import.meta.url)

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

describe.skipIf(!existsSync(shared))("SensitiveCodes over real records", () => {
  it.effect.each(patients)("%s has %j", ([patient, expected]) =>
    Effect.sync(() => {
      const counts: Record<string, number> = {}
      for (const name of readdirSync(new URL(`${patient}/`, shared))) {
        if (!name.endsWith(".ndjson.gz")) continue
        const lines = gunzipSync(readFileSync(new URL(`${patient}/${name}`, shared))).toString("utf8").split("\n")
        for (const line of lines.filter((line) => line !== "")) {
          for (const category of classify(JSON.parse(line))) counts[category] = (counts[category] ?? 0) + 1
        }
      }
      assert.deepStrictEqual(counts, expected)
    }))
})
