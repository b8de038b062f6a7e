import type { MedicationDispense, MedicationDispenseSubstitution } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeText } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { dosages } from "./Dosage.ts"
import { labelled } from "./Labels.ts"
import { medicationCode, medicationName, mixtureIngredients, unnamedMedication } from "./Medication.ts"
import { dispensePlace } from "./MedicationPlace.ts"
import { members, text } from "./Members.ts"
import { participants } from "./Participant.ts"
import { quantity } from "./Quantity.ts"
import { typedReader } from "./Reader.ts"
import { reference } from "./Reference.ts"
import { codeWords } from "./Words.ts"

/** R4's status codes are worded for events in general. These words say what each means for a dispense. */
const statuses: ReadonlyMap<string, string> = new Map([
  ["completed", "Dispensed"],
  ["in-progress", "Being dispensed"],
  ["preparation", "Being prepared"]
])

export const medicationDispense = typedReader<MedicationDispense>({
  place: ({ status }) => dispensePlace(status),
  title: (_, source) => medicationName(source),
  parts: (dispense, source) => {
    const { titleOf } = source
    const { wasSubstituted } = members<MedicationDispenseSubstitution>(dispense.substitution)
    return {
      code: medicationCode(source),
      status: statuses.get(text(dispense.status) ?? "") ?? codeWords(dispense.status),
      dates: labelled({ "Handed over": dateText(dispense.whenHandedOver), Prepared: dateText(dispense.whenPrepared) }),
      details: labelled({
        Medication: unnamedMedication(source),
        Ingredients: mixtureIngredients(source),
        Dosage: dosages(dispense.dosageInstruction),
        Quantity: quantity(dispense.quantity),
        Supply: quantity(dispense.daysSupply),
        Type: codeText(dispense.type),
        "Dispensed by": participants(dispense.performer, titleOf),
        Location: reference(dispense.location, titleOf),
        "Reason for status": codeText(dispense.statusReasonCodeableConcept) ??
          reference(dispense.statusReasonReference, titleOf),
        Note: annotations(dispense.note, titleOf)
      }),
      flags: wasSubstituted === true ? ["Substituted"] : []
    }
  }
})
