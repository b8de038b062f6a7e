import { assert, describe, it } from "@effect/vitest"
import { clinicalDate, isInRange } from "../../src/clinical/ClinicalDate.ts"

const days = (resourceType: string, resource: unknown) => {
  const date = clinicalDate(resourceType, resource)
  return date && `${date.first} ${date.last}`
}

describe("The clinical date", () => {
  it.each<[string, object, string | null]>([
    ["Observation", { effectiveDateTime: "2019-03-15", issued: "2020-01-01T00:00:00Z" }, "2019-03-15 2019-03-15"],
    ["Observation", { issued: "2020-01-01T00:00:00Z", date: "2020-01-01" }, null],
    ["Observation", { effectivePeriod: { start: "2019-03", end: "2019-05-02" } }, "2019-03-01 2019-05-02"],
    ["Observation", { effectiveInstant: "2019-03-15T23:30:00-07:00" }, "2019-03-15 2019-03-15"],
    ["Observation", { effectiveTiming: { event: ["2019-05-02", "2019-03"] } }, "2019-03-01 2019-05-02"],
    ["Observation", { effectiveTiming: { repeat: { boundsPeriod: { start: "2019" } } } }, "2019-01-01 9999-12-31"],
    ["DiagnosticReport", { effectivePeriod: { end: "2019" } }, "0000-01-01 2019-12-31"],
    ["Condition", { onsetDateTime: "2018", recordedDate: "2019-03-15" }, "2018-01-01 2018-12-31"],
    ["Condition", { onsetPeriod: { start: "2018-01-02", end: "2018-01-03" }, recordedDate: "2019" },
      "2018-01-02 2018-01-03"],
    ["Condition", { onsetString: "as a child", recordedDate: "2019-03-15" }, "2019-03-15 2019-03-15"],
    ["Condition", { onsetDateTime: "soon", recordedDate: "2019-03-15" }, "2019-03-15 2019-03-15"],
    ["AllergyIntolerance", { lastOccurrence: "2017", recordedDate: "2019-03-15" }, "2019-03-15 2019-03-15"],
    ["AllergyIntolerance", { lastOccurrence: "2017-02-01" }, "2017-02-01 2017-02-01"],
    ["MedicationRequest", { authoredOn: "2019-03-15T00:10:00+09:00" }, "2019-03-15 2019-03-15"],
    ["MedicationRequest", { date: "2019-03-15" }, null],
    ["MedicationStatement", { effectivePeriod: { start: "2019-03-15" }, dateAsserted: "2020" },
      "2019-03-15 9999-12-31"],
    ["MedicationStatement", { dateAsserted: "2020-02-29" }, "2020-02-29 2020-02-29"],
    ["MedicationDispense", { whenPrepared: "2019-03-14", whenHandedOver: "2019-03-15" }, "2019-03-15 2019-03-15"],
    ["MedicationDispense", { whenPrepared: "2019-03-14" }, "2019-03-14 2019-03-14"],
    ["MedicationAdministration", { effectiveDateTime: "2019-03-14" }, "2019-03-14 2019-03-14"],
    ["Immunization", { occurrenceString: "in spring", recorded: "2019-03-14" }, "2019-03-14 2019-03-14"],
    ["Immunization", { occurrenceDateTime: "2019-03-13", recorded: "2019-03-14" }, "2019-03-13 2019-03-13"],
    ["Procedure", { performedPeriod: { start: "2019-03-13", end: "2019-03-14" } }, "2019-03-13 2019-03-14"],
    ["Procedure", { performedDateTime: "2019-03-13" }, "2019-03-13 2019-03-13"],
    ["Encounter", { period: { start: "2019-03-13" } }, "2019-03-13 9999-12-31"],
    ["CarePlan", { period: { end: "2019-03-13" }, created: "2010" }, "0000-01-01 2019-03-13"],
    ["CareTeam", { period: {} }, null],
    ["EpisodeOfCare", { period: { start: "2019", end: "2019" } }, "2019-01-01 2019-12-31"],
    ["ServiceRequest", { authoredOn: "2019-03-13", occurrenceDateTime: "2019-04-01" }, "2019-04-01 2019-04-01"],
    ["ServiceRequest", { authoredOn: "2019-03-13" }, "2019-03-13 2019-03-13"],
    ["DocumentReference", { date: "2019-03-13T10:00:00Z", context: { period: { start: "2018" } } },
      "2019-03-13 2019-03-13"],
    ["DocumentReference", { context: { period: { start: "2018", end: "2018-02" } } }, "2018-01-01 2018-02-31"],
    ["Composition", { date: "2019-03-13" }, "2019-03-13 2019-03-13"],
    ["QuestionnaireResponse", { authored: "2019-03-13", date: "2018" }, "2019-03-13 2019-03-13"],
    ["Goal", { startDate: "2019-03-13" }, "2019-03-13 2019-03-13"],
    ["Appointment", { start: "2019-03-13T10:00:00Z", created: "2018" }, "2019-03-13 2019-03-13"],
    ["Communication", { sent: "2019-03-13T10:00:00Z" }, "2019-03-13 2019-03-13"],
    ["FamilyMemberHistory", { date: "2019" }, "2019-01-01 2019-12-31"],
    ["ImagingStudy", { started: "2019-03-13T10:00:00Z" }, "2019-03-13 2019-03-13"],
    ["Claim", { billablePeriod: { start: "2019-03-13", end: "2019-03-14" }, created: "2018" }, "2019-03-13 2019-03-14"],
    ["ExplanationOfBenefit", { created: "2018-01-01" }, "2018-01-01 2018-01-01"],
    ["Flag", { period: { start: "2019-03-13" }, recorded: "2018-01-01" }, "2018-01-01 2018-01-01"],
    ["List", { date: "2019-03-13", created: "2018" }, "2019-03-13 2019-03-13"],
    ["Media", { created: "2018-01-01" }, "2018-01-01 2018-01-01"],
    ["Basic", {}, null]
  ])("of %s %j", (resourceType, resource, expected) => {
    assert.strictEqual(days(resourceType, resource), expected)
  })

  it.each([
    "Patient",
    "Practitioner",
    "PractitionerRole",
    "Organization",
    "Location",
    "Device",
    "Medication",
    "RelatedPerson",
    "Coverage",
    "HealthcareService"
  ])("of type %s does not matter: every date range includes it", (resourceType) => {
    assert.isTrue(
      isInRange(clinicalDate(resourceType, { date: "2019", period: { start: "2019" } }), "1800-01-01", "1800-01-01")
    )
    assert.isTrue(isInRange(clinicalDate(resourceType, null), "2200-01-01", null))
  })

  it.each([
    "",
    "2019-3",
    "2019-13",
    "2019-02-30",
    "2019-02-29",
    "0000",
    "2019-03-15T14:05",
    "2019-03-15T14:05:00",
    "2019-03-15T24:00:00Z",
    "2019-03-15 14:05:00Z",
    "2019-03-15T14:05:00+14:30",
    " 2019-03-15",
    "15.03.2019",
    20190315,
    2019,
    null,
    true,
    ["2019-03-15"],
    { value: "2019-03-15" }
  ])("is null if the date is %j", (date) => {
    assert.isNull(clinicalDate("Composition", { date }))
    assert.isNull(clinicalDate("Encounter", { period: { start: date, end: date } }))
  })

  it.each([null, "text", 5, [], [{ date: "2019" }]])("is null if the resource is %j", (resource) => {
    assert.isNull(clinicalDate("Composition", resource))
  })
})

describe("A date range", () => {
  it.each<[unknown, string | null, string | null, boolean]>([
    ["2019-03-15", "2019-03-15", "2019-03-15", true],
    ["2019-03-15", "2019-03-16", null, false],
    ["2019-03-15", null, "2019-03-14", false],
    // The recorded time zone decides the day. In UTC this time is on the 16th.
    ["2019-03-15T23:30:00-07:00", "2019-03-15", "2019-03-15", true],
    ["2019-03-15T23:30:00-07:00", "2019-03-16", null, false],
    ["2019-03", "2019-03-31", "2019-04-30", true],
    ["2019-02", "2019-02-28", null, true],
    ["2019-02", "2019-03-01", null, false],
    ["2019-03", null, "2019-03-01", true],
    ["2019-03", null, "2019-02-28", false],
    ["2019", "2019-12-31", "2020-05-01", true],
    ["2019", "2020-01-01", null, false],
    ["2019-03-15T14:05:60Z", "2019-03-15", "2019-03-15", true],
    ["no date", "2019-03-15", null, false],
    ["no date", null, null, true]
  ])("includes the date %j if it is from %s to %s: %s", (date, from, to, expected) => {
    assert.strictEqual(isInRange(clinicalDate("Composition", { date }), from, to), expected)
  })

  it.each<[object, string | null, string | null, boolean]>([
    [{ start: "2019-01-01", end: "2019-12-31" }, "2019-06-01", "2019-06-02", true],
    [{ start: "2019-01-01", end: "2019-06-01" }, "2019-06-01", null, true],
    [{ start: "2019-01-01", end: "2019-05-31" }, "2019-06-01", null, false],
    [{ start: "2019-01-01" }, "2024-06-01", "2024-06-02", true],
    [{ start: "2019-01-01" }, null, "2018-12-31", false],
    [{ end: "2019-01-01" }, null, "1980-01-01", true],
    [{ end: "2019-01-01" }, "2019-01-02", null, false],
    [{ start: "2019-03", end: "2019-03" }, "2019-03-31", "2019-04-30", true]
  ])("includes the period %j if it is from %s to %s: %s", (period, from, to, expected) => {
    assert.strictEqual(isInRange(clinicalDate("Encounter", { period }), from, to), expected)
  })
})

describe("Dates in order", () => {
  it("Dates sort by the recorded day, and instants of the same day sort by their true time", () => {
    const dates = [
      "2018",
      "2019-03",
      "2019-03-15",
      "2019-03-15T14:05:00+02:00",
      "2019-03-15T13:05:00Z",
      "2019-03-15T23:30:00-07:00",
      "2019-03-16",
      "2019-03-16T00:10:00+14:00"
    ]
    const sorts = dates.map((date) => clinicalDate("Composition", { date })!.sort)
    assert.deepStrictEqual(sorts.toSorted(), sorts)
    assert.lengthOf([...new Set(sorts)], dates.length)
  })
})
