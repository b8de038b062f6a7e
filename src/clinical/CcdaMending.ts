import type {
  AllergyIntolerance,
  Condition,
  Encounter,
  Immunization,
  MedicationRequest,
  Observation,
  Procedure
} from "fhir/r4.js"
import { isAbsence } from "./Absence.ts"
import { kindOf, relatedOf } from "./CcdaAllergy.ts"
import { codeOf, intervalOf, timeElement, unknown } from "./CcdaCode.ts"
import { componentsOf, mendResult } from "./CcdaResult.ts"
import { type Element, type Made, NotCda } from "./CcdaXml.ts"
import { hasCode } from "./Coding.ts"
import { list, members, text } from "./Members.ts"

/** The narrative's row of a resource: its title, and its dosage in words. */
export interface Told {
  readonly title: string
  readonly dosage: string | null
  readonly dosageId: string
  /** The concept of the medication that a request names by reference. */
  readonly medication: unknown
}

/**
 * Corrects what the library gets wrong, and throws `NotCda` for a resource whose entry would say something else than
 * the resource. It then stands in the text of its section only.
 */
export type Mend = (entry: Made, json: unknown, told: Told) => void

const only = (isSo: boolean) => {
  if (!isSo) throw new NotCda()
}

const actOf = (entry: Made): Made => entry["act"][0]

const within = (act: Made): Made => act["entryRelationship"][0].observation[0]

const allergy: Mend = (entry, json) => {
  const all = members<AllergyIntolerance>(json)
  const { clinicalStatus, code, onsetDateTime, onsetPeriod, recordedDate } = all
  // The library calls an allergy that has ended active.
  only(isAbsent(clinicalStatus) || hasCode(clinicalStatus, "active"))
  only(!isAbsence(code))
  const act = actOf(entry)
  const observation = within(act)
  act["effectiveTime"] = { low: timeElement(recordedDate) }
  observation["effectiveTime"] = { low: timeElement(onsetDateTime ?? members<{ start: unknown }>(onsetPeriod).start) }
  observation["value"] = kindOf(all)
  observation["participant"][0].participantRole.playingEntity.code = codeOf(code)
  observation["entryRelationship"] = relatedOf(all, observation["entryRelationship"][0])
}

const problem: Mend = (entry, json) => {
  const all = members<Condition>(json)
  const { abatementDateTime, abatementPeriod, bodySite, clinicalStatus, code, onsetDateTime, onsetPeriod } = all
  only(!isAbsence(code))
  // The library calls a resolved problem active. For one in remission or inactive, CDA has no status that fits.
  const isResolved = hasCode(clinicalStatus, "resolved")
  only(isResolved || ["active", "recurrence", "relapse"].some((status) => hasCode(clinicalStatus, status)))
  const act = actOf(entry)
  const observation = within(act)
  act["statusCode"] = { "@_code": isResolved ? "completed" : "active" }
  const end = abatementDateTime ?? members<{ end: unknown }>(abatementPeriod).end
  act["effectiveTime"] = { low: timeElement(all.recordedDate), high: isResolved ? timeElement(end) : undefined }
  observation["value"] = { "@_xsi:type": "CD", ...codeOf(code) }
  observation["effectiveTime"] = {
    low: timeElement(onsetDateTime ?? members<{ start: unknown }>(onsetPeriod).start),
    high: isResolved || !isAbsent(end) ? timeElement(end) : undefined
  }
  observation["targetSiteCode"] = sitesOf(bodySite)
}

/**
 * The library takes the first dosage, and of its timing the period without the frequency: twice a day becomes once.
 * The dose is therefore given in words only.
 */
const medication: Mend = (entry, json, { dosage, dosageId, medication, title }) => {
  const { intent, medicationCodeableConcept, reportedBoolean, status } = members<MedicationRequest>(json)
  only(["active", "completed", "stopped"].includes(text(status) ?? ""))
  only(
    ["order", "original-order", "reflex-order", "filler-order", "instance-order", "plan"].includes(text(intent) ?? "")
  )
  const concept = medicationCodeableConcept ?? medication
  only(!isAbsence(concept))
  const made = entry["substanceAdministration"][0] as Made
  // `EVN` says that the patient takes it. A request says only that it was ordered.
  made["@_moodCode"] = reportedBoolean === true ? "EVN" : "INT"
  // Many readers look at the time and not at the status: a medication without an end is a current one.
  made["effectiveTime"] = [{ "@_xsi:type": "IVL_TS", low: unknown, high: status === "active" ? undefined : unknown }]
  made["doseQuantity"] = unknown
  for (const unsure of ["author", "routeCode"]) delete made[unsure]
  const [product] = made["consumable"].manufacturedProduct
  delete product.manufacturerOrganization
  product.manufacturedMaterial = [{ code: codeOf(concept, title) }]
  made["entryRelationship"] = dosage === null ? undefined : [sig(dosage, dosageId)]
}

/** Medication Free Text Sig (C-CDA R2.1). */
const sig = (dosage: string, id: string): Element => ({
  "@_typeCode": "COMP",
  substanceAdministration: [{
    "@_classCode": "SBADM",
    "@_moodCode": "INT",
    templateId: [{ "@_root": "2.16.840.1.113883.10.20.22.4.147" }],
    code: { "@_code": "76662-6", "@_codeSystem": "2.16.840.1.113883.6.1", "@_codeSystemName": "LOINC" },
    text: { "#text": dosage, reference: { "@_value": `#${id}` } },
    consumable: { manufacturedProduct: [{ manufacturedLabeledDrug: [{ "@_nullFlavor": "NA" }] }] }
  }]
})

const immunization: Mend = (entry, json) => {
  const { lotNumber, occurrenceDateTime, status, vaccineCode } = members<Immunization>(json)
  only(status === "completed")
  const made = entry["substanceAdministration"][0] as Made
  made["effectiveTime"] = [timeElement(occurrenceDateTime)]
  delete made["performer"]
  const [product] = made["consumable"].manufacturedProduct
  delete product.manufacturerOrganization
  product.manufacturedMaterial = [{ code: codeOf(vaccineCode), lotNumberText: text(lotNumber) ?? undefined }]
}

const procedure: Mend = (entry, json) => {
  const { bodySite, code, performedDateTime, performedPeriod, status } = members<Procedure>(json)
  only(status === "completed")
  const made = (entry["procedure"] ?? entry["act"])[0] as Made
  made["code"] = codeOf(code)
  made["effectiveTime"] = [intervalOf(performedDateTime, performedPeriod)]
  made["targetSiteCode"] = sitesOf(bodySite)
  delete made["participant"]
}

const encounter: Mend = (entry, json) => {
  const { period, status, type } = members<Encounter>(json)
  only(status === "finished")
  const made = entry["encounter"][0] as Made
  made["code"] = codeOf(list(type)[0])
  made["effectiveTime"] = [intervalOf(undefined, period)]
  // The library makes a place of each person who took part, and a diagnosis of each reason.
  for (const wrong of ["participant", "entryRelationship"]) delete made[wrong]
}

const observation: Mend = (entry, json) => {
  const { code, status } = members<Observation>(json)
  only(["final", "amended", "corrected"].includes(text(status) ?? ""))
  const organizer = entry["organizer"]?.[0] as Made | undefined
  if (organizer === undefined) return mendResult(entry["observation"][0], json)
  const components = componentsOf(json)
  only(components.length > 0 && components.length === organizer["component"].length)
  organizer["code"] = codeOf(code)
  for (const [index, component] of components.entries()) {
    mendResult(organizer["component"][index].observation[0], json, component)
  }
  organizer["effectiveTime"] = organizer["component"][0].observation[0].effectiveTime
}

/** The side of a finding or of an operation is in its site, and a site that has no words spoils the entry. */
const sitesOf = (bodySite: unknown) => list(bodySite).map((site) => codeOf(site))

const isAbsent = (value: unknown) => value === undefined || value === null

export const mends: ReadonlyMap<string, Mend> = new Map([
  ["AllergyIntolerance", allergy],
  ["Condition", problem],
  ["Encounter", encounter],
  ["Immunization", immunization],
  ["MedicationRequest", medication],
  ["Observation", observation],
  ["Procedure", procedure]
])
