import { assert, test } from "vitest"
import { entryOf, rowOf, summaryOf } from "../../src/clinical/Reading.ts"
import { titlesOf } from "../../src/clinical/Titles.ts"
import { placeFor, rowFor, shown } from "./Rows.ts"

const aspirin = { medicationCodeableConcept: { text: "Aspirin 81 MG" } }

test.each([
  ["MedicationRequest", "active", "Active", "Active"],
  ["MedicationRequest", "draft", "Draft", "On hold or planned"],
  ["MedicationRequest", "on-hold", "On hold", "On hold or planned"],
  ["MedicationRequest", "unknown", "Unknown", "Status not known"],
  ["MedicationRequest", undefined, "-", "Status not known"],
  ["MedicationRequest", "completed", "Completed", "Completed, stopped or cancelled"],
  ["MedicationRequest", "stopped", "Stopped", "Completed, stopped or cancelled"],
  ["MedicationRequest", "cancelled", "Cancelled", "Completed, stopped or cancelled"],
  ["MedicationRequest", "entered-in-error", "Entered in error | !Entered in error", "Entered in error"],
  ["MedicationStatement", "intended", "Intended", "On hold or planned"],
  ["MedicationStatement", "not-taken", "Not taken | !Not taken", "Completed, stopped or cancelled"],
  ["MedicationDispense", "completed", "Dispensed", "Dispensing"],
  ["MedicationDispense", "preparation", "Being prepared", "On hold or planned"],
  ["MedicationDispense", "in-progress", "Being dispensed", "Active"],
  ["MedicationDispense", "declined", "Declined", "Dispensing"],
  ["MedicationAdministration", "completed", "Given", "Administration"],
  ["MedicationAdministration", "in-progress", "Being given", "Active"],
  ["MedicationAdministration", "not-done", "Not given | !Not given", "Administration"],
  ["MedicationAdministration", "stopped", "Stopped", "Administration"],
  ["MedicationAdministration", "constructor", "Constructor", "Administration"]
])("a %s with the status %s shows %s, under the heading %s", (resourceType, status, words, heading) => {
  const medication = { resourceType, ...aspirin, status }
  assert.strictEqual(rowFor(medication), `Aspirin 81 MG | - | ${words}`)
  assert.strictEqual(placeFor(medication).groupTitle, heading)
})

test("each dosage of a request keeps its own coded dose beside its text", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationRequest",
      ...aspirin,
      status: "active",
      intent: "proposal",
      priority: "stat",
      doNotPerform: true,
      authoredOn: "2015-01",
      requester: { display: "Dr. Pump" },
      reasonCode: [{ text: "Angina" }],
      reasonReference: [{ display: "Angina" }, { display: "Infarction" }],
      statusReason: { text: "Allergy" },
      dispenseRequest: { numberOfRepeatsAllowed: 3, quantity: { value: 30, unit: "tablet" } },
      dosageInstruction: [
        { sequence: 2, text: "Then half", doseAndRate: [{ doseQuantity: { value: 40, unit: "mg" } }] },
        {
          sequence: 1,
          text: "Before breakfast",
          doseAndRate: [{ doseQuantity: { value: 81, unit: "mg" } }],
          additionalInstruction: [{ text: "With water" }]
        }
      ],
      note: [{ text: "Aspirin 81 MG" }]
    }),
    `Aspirin 81 MG | - | Active | !Do not give | !Proposal
Authored: 2015-01
Dosage: Before breakfast (dose 81 mg); With water
Then half (dose 40 mg)
Prescriber: Dr. Pump
Refills: 3
Quantity: 30 tablet
Reason: Angina; Infarction
Reason for status: Allergy
Intent: Proposal
Priority: Immediately (stat)`
  )
})

test("a request without a text shows dose, route and timing", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationRequest",
      ...aspirin,
      dosageInstruction: [{
        doseAndRate: [{ doseRange: { low: { value: 1, unit: "tablet" }, high: { value: 2, unit: "tablet" } } }],
        route: { coding: [{ system: "http://snomed.info/sct", code: "26643006", display: "Oral route" }] },
        timing: { repeat: { frequency: 1, period: 6, periodMax: 12, periodUnit: "h" } },
        asNeededCodeableConcept: { text: "pain" }
      }]
    }),
    `Aspirin 81 MG | - | -
Dosage: 1 to 2 tablet, Oral route, every 6 to 12 hours, as needed for pain`
  )
})

test.each([
  ["1.0", "1.0", "d", "once per day"],
  ["1", "4.0", "h", "every 4.0 hours"],
  ["2.0", "1.0", "d", "2.0 times per day"],
  ["3", "2", "wk", "3 times every 2 weeks"]
])("the frequency %s with the period %s and the unit %s is shown as: %s", (frequency, period, periodUnit, words) => {
  const timing = `{"repeat":{"frequency":${frequency},"period":${period},"periodUnit":"${periodUnit}"}}`
  const row = rowOf(
    "MedicationRequest",
    "1",
    `{"medicationCodeableConcept":{"text":"Aspirin"},"dosageInstruction":[{"timing":${timing}}]}`,
    () => undefined
  )
  assert.deepStrictEqual(row.details, [{ label: "Dosage", text: words }])
})

test("A statement, a dispense and an administration show their dates, amounts, reasons and people", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationStatement",
      medicationCodeableConcept: { text: "Little pink pill" },
      status: "active",
      effectivePeriod: { start: "2014-02" },
      dateAsserted: "2014-02-22",
      informationSource: { display: "Peter" },
      reasonCode: [{ text: "Water retention" }],
      dosage: [{ text: "1 tablet per day" }]
    }),
    `Little pink pill | - | Active
When: since 2014-02
Reported: 2014-02-22
Dosage: 1 tablet per day
Reason: Water retention
Source: Peter`
  )
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationDispense",
      ...aspirin,
      status: "completed",
      whenHandedOver: "2015-06-26T07:13:00+05:00",
      whenPrepared: "2015-06-25",
      quantity: { value: 90, unit: "tablet" },
      daysSupply: { value: 30, unit: "days" },
      performer: [{ actor: { display: "Pharmacist" }, function: { text: "checker" } }],
      substitution: { wasSubstituted: true }
    }),
    `Aspirin 81 MG | - | Dispensed | !Substituted
Handed over: 2015-06-26 07:13 +05:00
Prepared: 2015-06-25
Quantity: 90 tablet
Supply: 30 days
Dispensed by: Pharmacist (checker)`
  )
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationAdministration",
      ...aspirin,
      status: "completed",
      effectiveDateTime: "2015-01-15",
      dosage: {
        text: "IV over 30 minutes",
        dose: { value: 1.8, unit: "mg/kg" },
        rateRatio: { numerator: { value: 100, unit: "mL" }, denominator: { value: 1, unit: "h" } },
        route: { text: "Intravenous" }
      },
      performer: [{ actor: { display: "Nurse" } }]
    }),
    `Aspirin 81 MG | - | Given
Date: 2015-01-15
Dosage: IV over 30 minutes
Dose: 1.8 mg/kg
Rate: 100 mL per 1 h
Route: Intravenous
Given by: Nurse`
  )
})

test("A list shows the dose and the rate of an infusion without a written dosage", () => {
  const [dose, rate] = [{ value: 25_000, unit: "U" }, { value: 18, unit: "U/kg/h" }]
  const valueOf = (dosage: object) =>
    summaryOf("MedicationAdministration", "1", JSON.stringify({ status: "in-progress", dosage }), () => undefined).value
  assert.strictEqual(valueOf({ dose, rateQuantity: rate }), "25000 U at 18 U/kg/h")
  assert.strictEqual(valueOf({ rateQuantity: rate }), "at 18 U/kg/h")
  assert.strictEqual(valueOf({ dose: { value: 2 } }), "dose 2")
  assert.strictEqual(valueOf({ dose, text: "As the pump is set" }), "As the pump is set")
})

test("the title of a request lists the ingredients of its contained medication", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationRequest",
      contained: [{
        resourceType: "Medication",
        id: "m",
        ingredient: [{
          itemCodeableConcept: { text: "Hydrocortisone" },
          strength: { numerator: { value: 1, unit: "g" }, denominator: { value: 100, unit: "g" } }
        }, { itemCodeableConcept: { text: "White petrolatum" } }]
      }],
      medicationReference: { reference: "#m" }
    }),
    "Hydrocortisone 1 g per 100 g; White petrolatum | - | -"
  )
})

const mixture = {
  resourceType: "Medication",
  ingredient: [{ itemCodeableConcept: { text: "Hydrocortisone" } }, {
    itemCodeableConcept: { text: "White petrolatum" }
  }]
}

test.each([
  ["MedicationRequest", "contained", "#m"],
  ["MedicationStatement", "contained", "#m"],
  ["MedicationDispense", "record", "Medication/m"],
  ["MedicationAdministration", "record", "Medication/m"]
])(
  "a mixture without a code in a %s (%s) is called what the prescriber called it",
  (resourceType, place, reference) => {
    const titleOf = titlesOf([entryOf("Medication", "m", JSON.stringify(mixture))])
    const row = (display: string | undefined, more: object = {}) =>
      shown(rowOf(
        resourceType,
        "1",
        JSON.stringify({
          contained: place === "contained" ? [{ ...mixture, id: "m", ...more }] : [],
          medicationReference: { reference, display }
        }),
        titleOf
      ))
    assert.strictEqual(
      row("Eczema ointment"),
      "Eczema ointment | - | -\nIngredients: Hydrocortisone; White petrolatum"
    )
    assert.match(row(undefined), /^Hydrocortisone; White petrolatum \| - \| -$/)
    if (place === "contained") {
      assert.strictEqual(
        row("Eczema ointment", { code: { text: "Hydrocortisone cream" } }),
        "Hydrocortisone cream | - | -"
      )
      assert.strictEqual(row("Eczema ointment", { ingredient: undefined }), "Eczema ointment | - | -")
    }
  }
)

test("A medication without a name shows its reference as a detail, not as its title", () => {
  assert.strictEqual(
    rowFor({
      resourceType: "MedicationRequest",
      medicationReference: { reference: "urn:uuid:013a8646-63d3-6a65-68d1-afcbd47c0a26" }
    }),
    `Medication request | - | -
Medication: urn:uuid:013a8646-63d3-6a65-68d1-afcbd47c0a26`
  )
})
