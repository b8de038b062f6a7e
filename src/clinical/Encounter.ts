import type { Encounter, EncounterDiagnosis, EncounterHospitalization, EncounterLocation } from "fhir/r4.js"
import { codeOf, codeText } from "./Coding.ts"
import { conceptWords, wordsOf } from "./ConceptWords.ts"
import { period } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, type Members, members } from "./Members.ts"
import { participants } from "./Participant.ts"
import { quantity } from "./Quantity.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { codeWords } from "./Words.ts"

/** Codes of HL7's ActEncounterCode, which are mostly sent without words. */
const classes: ReadonlyMap<string, string> = new Map([
  ["AMB", "Outpatient"],
  ["EMER", "Emergency"],
  ["FLD", "In the field"],
  ["HH", "Home health"],
  ["IMP", "Inpatient"],
  ["ACUTE", "Inpatient, acute"],
  ["NONAC", "Inpatient, not acute"],
  ["OBSENC", "Observation"],
  ["PRENC", "Before admission"],
  ["SS", "Short stay"],
  ["VR", "Virtual"]
])

const classWords = (json: unknown) => wordsOf(json, classes)

const diagnosis = (json: unknown, titleOf: TitleOf) => {
  const { condition, use } = members<EncounterDiagnosis>(json)
  const purpose = codeText(use)
  return joined([reference(condition, titleOf), purpose && `(${purpose})`], " ")
}

const title = ({ class: kind, serviceType, type }: Members<Encounter>) =>
  each(type, codeText) ?? codeText(serviceType) ?? classWords(kind)

/** A contact between the patient and a care provider: a visit, a stay or a call. */
export const encounter = typedReader<Encounter>({
  place: () => ({ section: "encounters", group: "", groupTitle: null }),
  title,
  parts: (visit, { titleOf }) => {
    const stay = members<EncounterHospitalization>(visit.hospitalization)
    // A patient who returns to a ward has two entries for it, so repeated names are dropped.
    const places = list(visit.location).map((one) => reference(members<EncounterLocation>(one).location, titleOf))
    const place = joined(new Set(places), "; ")
    const provider = reference(visit.serviceProvider, titleOf)
    const called = title(visit)
    const [kind, service] = [classWords(visit.class), codeText(visit.serviceType)]
    return {
      code: codeOf(list(visit.type)[0]),
      status: codeWords(visit.status),
      dates: labelled({ Period: period(visit.period) }),
      details: labelled({
        Class: kind === called ? null : kind,
        Service: service === called ? null : service,
        Reason: reasons(visit.reasonCode, visit.reasonReference, titleOf),
        Diagnosis: each(visit.diagnosis, (one) => diagnosis(one, titleOf), "; "),
        With: participants(visit.participant, titleOf, { during: visit.period }),
        Location: place,
        Organization: provider === place ? null : provider,
        Priority: codeText(visit.priority),
        Length: quantity(visit.length),
        "Admitted from": joined([codeText(stay.admitSource), reference(stay.origin, titleOf)]),
        "Discharged to": joined([codeText(stay.dischargeDisposition), reference(stay.destination, titleOf)]),
        Readmission: conceptWords(stay.reAdmission)
      })
    }
  }
})
