import type { MedicationStatement } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeText } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { dosages } from "./Dosage.ts"
import { labelled } from "./Labels.ts"
import { medicationCode, medicationName, mixtureIngredients, unnamedMedication } from "./Medication.ts"
import { medicationPlace } from "./MedicationPlace.ts"
import { each, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** A report that the patient takes, took or is to take a medication. */
export const medicationStatement = typedReader<MedicationStatement>({
  place: ({ medicationCodeableConcept, status }) => medicationPlace(status, medicationCodeableConcept),
  title: (_, source) => medicationName(source),
  parts: (statement, source) => {
    const { titleOf } = source
    const dosage = dosages(statement.dosage)
    return {
      code: medicationCode(source),
      status: codeWords(statement.status),
      dates: labelled({
        When: choice(statement, "effective", titleOf),
        Reported: dateText(statement.dateAsserted)
      }),
      details: labelled({
        Medication: unnamedMedication(source),
        Ingredients: mixtureIngredients(source),
        Dosage: dosage,
        Reason: reasons(statement.reasonCode, statement.reasonReference, titleOf),
        "Reason for status": each(statement.statusReason, codeText),
        Source: reference(statement.informationSource, titleOf),
        Note: annotations(statement.note, titleOf)
      }),
      identity: [text(statement.status), dosage]
    }
  }
})
