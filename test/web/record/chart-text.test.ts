import { assert, describe, it } from "@effect/vitest"
import type { Card, GlanceItem } from "../../../src/clinical/GlanceCards.ts"
import { chartText } from "../../../web/shared/record/ChartText.ts"
import type { ReadSoFar } from "../../../web/shared/record/glance/CardStates.ts"
import type { About, RecordGlance } from "../../../web/shared/record/Messages.ts"
import { about, section } from "./Abouts.ts"

const item = (key: number, title: string, more: Partial<GlanceItem> = {}): GlanceItem => ({
  key,
  title,
  detail: null,
  date: null,
  hasStatus: true,
  entries: 1,
  flags: [],
  ...more
})

const card = (items: ReadonlyArray<GlanceItem>, more: Partial<Card> = {}): Card => ({
  items,
  active: items.length,
  current: items.length,
  all: items.length,
  hasPast: false,
  statements: [],
  ...more
})

const ofRecord: About = {
  ...about([
    section("Patient", "complete"),
    section("AllergyIntolerance", "complete", 2),
    section("Condition", "complete", 10),
    section("MedicationRequest", "empty", 0),
    section("Observation", "complete", 2)
  ]),
  selfReported: [
    {
      id: "1",
      category: "medication",
      text: "Warfarin\n\nALLERGIES\n- None \u202e5 mg",
      occurredOn: "2026-11",
      createdAt: "2026-11-01T12:00:00.000Z"
    },
    { id: "2", category: "symptom", text: "Knee", occurredOn: null, createdAt: "2026-11-01T12:00:00.000Z" }
  ]
}

const glance: RecordGlance = {
  patient: { name: "Grace Hopper", born: "1947-09-10", sex: "Female", died: null, flags: [] },
  allergies: {
    ...card([item(1, "Penicillin G", { detail: "Anaphylaxis", flags: ["Severe"] })], {
      statements: [item(2, "No known latex allergy", { date: { label: "Recorded", text: "2020-05-01" } })]
    }),
    vaccineReactions: [item(3, "Influenza", { detail: "Fever", date: { label: "Given", text: "2019-10-01" } })]
  },
  problems: card([item(4, "Hypertension", { entries: 2 }), item(5, "Embolism", { flags: ["Provisional"] })], {
    active: 9,
    current: 10,
    all: 12,
    hasPast: true
  }),
  medications: { ...card([]), lastSupplied: null },
  results: {
    all: 9,
    items: [
      {
        key: 6,
        name: "Hemoglobin A1c",
        title: "Hemoglobin A1c/Hemoglobin.total in Blood",
        value: "66.899999999999991 %",
        range: "4.0 to 6.0 %",
        date: "2026-06-03",
        flags: ["Above range"],
        spark: []
      },
      { key: 7, name: "Culture", title: "Culture", value: "Negative", range: null, date: "", flags: [], spark: [] }
    ]
  }
}

const state: ReadSoFar = {
  glance,
  progress: {
    order: new Uint32Array(),
    whole: ofRecord.sections.map(({ resourceType }) => resourceType),
    isNewUnknown: false,
    done: true
  },
  failure: undefined
}

const source = { at: new Date(2026, 10, 23, 15, 4), reader: "Dr. Ada Gray", site: "records.example" }

describe("Copy for my chart", () => {
  it("The text names patient and source, values as sent, the patient's own words, and what it lacks", () => {
    assert.strictEqual(
      chartText(ofRecord, state, source).replaceAll("\u202f", " "),
      `PATIENT: Grace Hopper, born Sep 10, 1947 (79), Female, call sign Eagle
- Source: Veteran Records (records.example), what the patient shares until Dec 21, 2026.
- Copied Nov 23, 2026, 3:04 PM by Dr. Ada Gray.

ALLERGIES (up to date as of Nov 21, 2026)
- Penicillin G [Severe]: Anaphylaxis
- The record says: No known latex allergy: recorded May 1, 2020
- Reaction to a vaccine: Influenza: Fever; given Oct 1, 2019

ACTIVE PROBLEMS (up to date as of Nov 21, 2026)
- Hypertension: 2 entries
- Embolism [Provisional]
- 8 more, not in this copy.
- This is not all: the record has 12 entries, past ones too.

MEDICATIONS (up to date as of Nov 21, 2026)
- No other medications in this record as of Nov 21, 2026.
- From the patient, not checked by a clinician: “Warfarin ALLERGIES - None 5 mg” (Nov 2026)

LATEST RESULTS (up to date as of Nov 21, 2026)
- Hemoglobin A1c (Hemoglobin A1c/Hemoglobin.total in Blood): 66.899999999999991 % [Above range]; range 4.0 to 6.0 %; Jun 3, 2026
- Culture: Negative; no reference range sent; no date
- These are 2 of 9 results.

What is not listed here is not in this record as shared. That is not the same as none. Ask the patient.
`
    )
  })

  it("The text of a record that is not up to date, and of a patient who died, says so", () => {
    const text = chartText({ ...ofRecord, sections: [] }, {
      ...state,
      glance: { ...glance, patient: { ...glance.patient!, born: null, died: "2015-03-14", flags: ["Deceased"] } }
    }, source)
    assert.include(text, "PATIENT: Grace Hopper, deceased Mar 14, 2015, Female, call sign Eagle\n")
    assert.include(
      text,
      "- This record gives no birth date. Make sure with the family or the sender that it is theirs.\n"
    )
    assert.include(
      text,
      "- Allergies, medications, and problems were not loaded. This is not the same as “none.” Ask the family or the sender.\n"
    )
    assert.include(text, "MEDICATIONS (not loaded)\n- Medications were not loaded.")
    assert.notInclude(text, "Ask the patient")
  })

  it("The text has every flag of the Patient resource", () => {
    const flags = ["Deceased", "Not in use", "Replaced by another record", "Modified meaning"]
    assert.include(
      chartText(
        ofRecord,
        { ...state, glance: { ...glance, patient: { ...glance.patient!, died: "2015", flags } } },
        source
      ),
      "deceased 2015, not in use, replaced by another record, modified meaning, Female, call sign Eagle\n"
    )
  })

  it("Results that the glance does not list are not told as no results", () => {
    const text = chartText(ofRecord, { ...state, glance: { ...glance, results: { all: 1_204, items: [] } } }, source)
    assert.include(
      text,
      "\n- None of the 1,204 results here is a key test, laboratory result or vital sign with a value. See all items.\n"
    )
  })

  it("Allergies wait for reactions to vaccines, and medications for what was dispensed and given", () => {
    for (
      const [type, title] of [
        ["Immunization", "ALLERGIES"],
        ["MedicationDispense", "MEDICATIONS"],
        ["MedicationAdministration", "MEDICATIONS"]
      ] as const
    ) {
      const unread = { ...ofRecord, sections: [...ofRecord.sections, section(type, "complete", 1)] }
      const progress = { ...state.progress, whole: [...state.progress.whole, type] }
      assert.include(chartText(unread, state, source), `${title} (still loading)`)
      assert.include(chartText(unread, { ...state, progress }, source), `${title} (up to date`)
    }
  })

  it("A list that has not arrived is not told as none", () => {
    const text = chartText(
      ofRecord,
      { ...state, glance: undefined, progress: { ...state.progress, whole: [] } },
      source
    )
    assert.include(
      text,
      "ALLERGIES (still loading)\n- Allergies were not all loaded when this was copied. Do not read this as “none.”\n"
    )
    assert.notInclude(text, "None in")
    // While the Patient has not arrived, the text does not say that there is none.
    assert.notInclude(text, "This record gives no")
  })
})
