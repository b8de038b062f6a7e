import type { MedicationAdministration, MedicationAdministrationDosage } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeText } from "./Coding.ts"
import { amount } from "./Dosage.ts"
import { labelled } from "./Labels.ts"
import { medicationCode, medicationName, mixtureIngredients, unnamedMedication } from "./Medication.ts"
import { administrationPlace } from "./MedicationPlace.ts"
import { each, members, text } from "./Members.ts"
import { participants } from "./Participant.ts"
import { quantity, ratio } from "./Quantity.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** R4's status codes are worded for events in general. These words say what each means for an administration. */
const statuses: ReadonlyMap<string, string> = new Map([
  ["completed", "Given"],
  ["in-progress", "Being given"],
  ["not-done", "Not given"]
])

export const medicationAdministration = typedReader<MedicationAdministration>({
  place: ({ status }) => administrationPlace(status),
  title: (_, source) => medicationName(source),
  parts: (given, source) => {
    const { titleOf } = source
    const dosage = members<MedicationAdministrationDosage>(given.dosage)
    return {
      code: medicationCode(source),
      status: statuses.get(text(given.status) ?? "") ?? codeWords(given.status),
      dates: labelled({ Date: choice(given, "effective", titleOf) }),
      details: labelled({
        Medication: unnamedMedication(source),
        Ingredients: mixtureIngredients(source),
        Dosage: text(dosage.text),
        Dose: quantity(dosage.dose),
        Rate: quantity(dosage.rateQuantity) ?? ratio(dosage.rateRatio),
        Route: codeText(dosage.route),
        Site: codeText(dosage.site),
        Method: codeText(dosage.method),
        Reason: reasons(given.reasonCode, given.reasonReference, titleOf),
        "Reason for status": each(given.statusReason, codeText),
        "Given by": participants(given.performer, titleOf),
        Note: annotations(given.note, titleOf)
      }),
      telling: amount({ ...dosage, doseQuantity: dosage.dose })
    }
  }
})
