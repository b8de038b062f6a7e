import { assert, describe, test } from "vitest"
import { entryOf, rowOf } from "../../src/clinical/Reading.ts"
import type { Row } from "../../src/clinical/Row.ts"
import { titlesOf } from "../../src/clinical/Titles.ts"
import { patients } from "../support/Collection.ts"
import { recordOf } from "./SharedRecords.ts"

/** Unknown JSON in which each number is replaced by its source text. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/**
 * A text, and the part of the row that must contain it: `title`, `status`, `code`, or the label of a date or detail.
 */
type Fact = readonly [where: string, text: string | undefined]

const exactly = (text: string): Json =>
  JSON.parse(
    text,
    (_: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" ? context?.source : value
  )

const all = (value: Json): ReadonlyArray<Json> => value === undefined || value === null ? [] : [value].flat()

const words = (concept: Json): string | undefined => {
  const said: string | undefined = concept?.text ?? all(concept?.coding).find(({ display }) => display)?.display
  return said?.trim()
}

const amount = (quantity: Json): string | undefined =>
  quantity?.value === undefined ? undefined : [quantity.value, quantity.unit ?? quantity.code].filter(Boolean).join(" ")

const day = (date: Json): string | undefined => date?.slice(0, 10)

const status = (code: Json): Fact => ["status", code?.replaceAll("-", " ").slice(1)]

const codes = (concept: Json): ReadonlyArray<Fact> => all(concept?.coding).map(({ code }) => ["code", code])

const reasons = (resource: Json): ReadonlyArray<Fact> => [
  ...all(resource.reasonCode).map((code): Fact => ["Reason", words(code)]),
  ...all(resource.reasonReference).map((one): Fact => ["Reason", one.title ?? one.display])
]

const medication = (resource: Json): ReadonlyArray<Fact> => [
  ["title", words(resource.medicationCodeableConcept) ?? resource.medicationReference?.title ??
    resource.medicationReference?.display],
  ...codes(resource.medicationCodeableConcept)
]

/** For each resource type, the facts that its row must show (released-record.md has them as a table). */
const facts: Readonly<Record<string, (resource: Json) => ReadonlyArray<Fact>>> = {
  AllergyIntolerance: (allergy) => [
    ["title", words(allergy.code)],
    ...codes(allergy.code),
    ...all(allergy.reaction).flatMap(({ manifestation, severity }): ReadonlyArray<Fact> => [
      ["Reaction", severity],
      ...all(manifestation).map((one): Fact => ["Reaction", words(one)])
    ]),
    ["Criticality", allergy.criticality?.slice(1)],
    status(allergy.clinicalStatus?.coding[0].code),
    status(allergy.verificationStatus?.coding[0].code),
    ["Onset", allergy.onsetDateTime],
    ["Recorded", day(allergy.recordedDate)]
  ],
  Condition: (problem) => [
    ["title", words(problem.code)],
    ...codes(problem.code),
    status(problem.clinicalStatus?.coding[0].code),
    status(problem.verificationStatus?.coding[0].code),
    ["Onset", day(problem.onsetDateTime)],
    ["Ended", day(problem.abatementDateTime)],
    ["Recorded", day(problem.recordedDate)],
    ...all(problem.category).map((one): Fact => ["Category", words(one)])
  ],
  MedicationRequest: (request) => [
    ...medication(request),
    ...all(request.dosageInstruction).flatMap(({ doseAndRate, text }): ReadonlyArray<Fact> => [
      ["Dosage", text?.trim()],
      ...all(doseAndRate).map(({ doseQuantity }): Fact => ["Dosage", amount(doseQuantity)])
    ]),
    status(request.status),
    ["Authored", day(request.authoredOn)],
    ["Prescriber", request.requester?.title ?? request.requester?.display],
    ["Refills", request.dispenseRequest?.numberOfRepeatsAllowed],
    ["Quantity", amount(request.dispenseRequest?.quantity)],
    ...reasons(request)
  ],
  MedicationAdministration: (given) => [
    ...medication(given),
    ["status", "Given"],
    ["Date", day(given.effectiveDateTime)],
    ["Dose", amount(given.dosage?.dose)],
    ...reasons(given)
  ],
  Immunization: (vaccine) => [
    ["title", words(vaccine.vaccineCode)],
    ...codes(vaccine.vaccineCode),
    ["Date", day(vaccine.occurrenceDateTime) ?? vaccine.occurrenceString],
    ["Dose", amount(vaccine.doseQuantity)],
    ["Lot", vaccine.lotNumber],
    ["Site", words(vaccine.site)],
    ["status", vaccine.status === "not-done" ? "Not given" : "Completed"],
    ["Why not given", words(vaccine.statusReason)]
  ],
  Procedure: (done) => [
    ["title", words(done.code)],
    ...codes(done.code),
    status(done.status),
    ["Performed", day(done.performedDateTime) ?? day(done.performedPeriod?.start)],
    ["Performed", day(done.performedPeriod?.end)],
    ...all(done.performer).map(({ actor }): Fact => ["Performed by", actor.title ?? actor.display]),
    ["Location", done.location?.title ?? done.location?.display],
    ...reasons(done)
  ],
  Encounter: (visit) => [
    ...all(visit.type).map((one): Fact => ["title", words(one)]),
    status(visit.status),
    ["Period", day(visit.period?.start)],
    ["Period", day(visit.period?.end)],
    ...all(visit.participant).map(({ individual }): Fact => ["With", individual.title ?? individual.display]),
    ...all(visit.location).map(({ location }): Fact => ["Location", location.title ?? location.display]),
    ...reasons(visit)
  ],
  CarePlan: (plan) => [
    ...all(plan.category).map((one): Fact => ["title", words(one)]),
    status(plan.status),
    ["Period", day(plan.period?.start)],
    ["Period", day(plan.period?.end)],
    ...all(plan.activity).map(({ detail }): Fact => ["Activities", words(detail?.code) ?? detail?.description?.trim()]),
    ...all(plan.addresses).map((one): Fact => ["Addresses", one.title ?? one.display])
  ],
  CareTeam: (team) => [
    status(team.status),
    ["Period", day(team.period?.start)],
    ["Period", day(team.period?.end)],
    ...all(team.participant).map(({ role }): Fact => ["Members", words(role[0])]),
    ...reasons(team)
  ],
  Goal: (goal) => [["title", words(goal.description)], status(goal.lifecycleStatus), ["Started", goal.startDate]],
  ServiceRequest: (request) => [
    ["title", words(request.code)],
    ...codes(request.code),
    status(request.status),
    ["Authored", day(request.authoredOn)],
    ["When", day(request.occurrenceDateTime)],
    ["Requested by", request.requester?.title ?? request.requester?.display],
    ...all(request.performer).map((one): Fact => ["Performed by", one.title ?? one.display]),
    ...all(request.reasonCode).map((one): Fact => ["Reason", words(one)])
  ],
  Device: (device) => [
    ["title", device.deviceName?.[0].name],
    status(device.status),
    ["Serial number", device.serialNumber],
    ["Lot", device.lotNumber],
    ["UDI", device.udiCarrier?.[0].carrierHRF]
  ],
  DocumentReference: (document) => [
    [document.description === undefined ? "title" : "Type", words(document.type)],
    ["Date", day(document.date)],
    ...all(document.author).map((one): Fact => ["Author", one.title ?? one.display]),
    ...all(document.content).flatMap(({ attachment }): ReadonlyArray<Fact> => [
      ["File", attachment.contentType],
      ["File", `${attachment.size ?? Buffer.from(attachment.data, "base64").byteLength} bytes`],
      ["files", attachment.data]
    ])
  ],
  Patient: (patient) => [
    ...all(patient.name).map(({ family, use }): Fact => [use === "official" ? "title" : "anywhere", family]),
    ["Born", patient.birthDate],
    ["Sex", patient.gender?.slice(1)],
    ...all(patient.identifier).map(({ value }): Fact => ["Identifiers", value])
  ]
}

const textsAt = (row: Row, where: string): string => {
  const labelled = [...row.dates, ...row.details]
  if (where === "title" || where === "status" || where === "code") return row[where] ?? ""
  if (where === "files") return row.files.map(({ base64 }) => base64).join("\n")
  if (where === "anywhere") return [row.title, ...labelled.map(({ text }) => text)].join("\n")
  return labelled.filter(({ label }) => label === where).map(({ text }) => text).join("\n")
}

/** Gives each reference the title of its target, if the same record has it. */
const withTitles = (json: Json, titles: ReadonlyMap<string, string>): Json => {
  if (typeof json !== "object" || json === null) return json
  if (Array.isArray(json)) return json.map((one) => withTitles(one, titles))
  const members = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withTitles(value, titles)]))
  // Titles of contained resources are not checked here, so they are empty. The tests of whole rows check them.
  const title = json.reference?.startsWith?.("#") ? "" : titles.get(json.reference)
  return title === undefined ? members : { ...members, title }
}

const named = new Set(["Condition", "Medication"])

describe("A resource's row shows every fact that it must show", () => {
  const shown = new Map<string, number>()

  test.each(patients)("%s", (patient) => {
    const items = recordOf(patient)
    const titleOf = titlesOf(items.map((item) => entryOf(item.resourceType, item.fhirId, item.text)))
    // A reference to one of the `named` types shows its target's code. Other tests check references to other types.
    const titles = new Map(items.flatMap(({ fhirId, resourceType, text }) => {
      const title = named.has(resourceType) ? words(JSON.parse(text).code) ?? "" : ""
      return [[`${resourceType}/${fhirId}`, title], [`urn:uuid:${fhirId}`, title]] as const
    }))
    for (const { fhirId, resourceType, text } of items) {
      const expected = facts[resourceType]?.(withTitles(exactly(text), titles)) ?? []
      const row = rowOf(resourceType, fhirId, text, titleOf)
      for (const [where, fact] of expected) {
        if (fact === undefined || fact === "") continue
        assert.include(textsAt(row, where), fact, `${row.reference}: ${where}`)
        shown.set(resourceType, (shown.get(resourceType) ?? 0) + 1)
      }
    }
  })

  test("The records have at least 20 facts of each of four common types", () => {
    for (const type of ["Condition", "Immunization", "MedicationRequest", "Procedure"]) {
      assert.isAtLeast(shown.get(type) ?? 0, 20, type)
    }
  })
})
