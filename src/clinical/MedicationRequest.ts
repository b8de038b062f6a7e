import type { MedicationRequest, MedicationRequestDispenseRequest } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeText } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { dosages } from "./Dosage.ts"
import { labelled } from "./Labels.ts"
import { medicationCode, medicationName, mixtureIngredients, unnamedMedication } from "./Medication.ts"
import { medicationPlace, requestPlace } from "./MedicationPlace.ts"
import { members, text } from "./Members.ts"
import { isTrue } from "./Modifiers.ts"
import { quantity } from "./Quantity.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { codeWords, unlessUsual } from "./Words.ts"

/** The source of a request that reports a medication and is not the original prescription. */
const report = (request: MedicationReport, titleOf: TitleOf) =>
  reference(request.reportedReference, titleOf) ??
    (isTrue(request.reportedBoolean) ? "Reported, not the original record" : null)

interface MedicationReport {
  readonly reportedBoolean?: unknown
  readonly reportedReference?: unknown
}

export const medicationRequest = typedReader<MedicationRequest>({
  place: ({ doNotPerform, intent, medicationCodeableConcept, status }) =>
    requestPlace(medicationPlace(status, medicationCodeableConcept), intent, isTrue(doNotPerform)),
  title: (_, source) => medicationName(source),
  parts: (request, source) => {
    const { titleOf } = source
    const dispense = members<MedicationRequestDispenseRequest>(request.dispenseRequest)
    const [dosage, reported] = [dosages(request.dosageInstruction), report(request, titleOf)]
    const note = annotations(request.note, titleOf)
    return {
      code: medicationCode(source),
      status: codeWords(request.status),
      dates: labelled({ Authored: dateText(request.authoredOn) }),
      details: labelled({
        Medication: unnamedMedication(source),
        Ingredients: mixtureIngredients(source),
        Dosage: dosage,
        Prescriber: reference(request.requester, titleOf),
        Refills: text(dispense.numberOfRepeatsAllowed),
        Quantity: quantity(dispense.quantity),
        Supply: quantity(dispense.expectedSupplyDuration),
        Reason: reasons(request.reasonCode, request.reasonReference, titleOf),
        "Reason for status": codeText(request.statusReason),
        Intent: unlessUsual("order", request.intent),
        Priority: unlessUsual("routine", request.priority),
        Source: reported,
        // The VA repeats the medication's name in its notes.
        Note: note === medicationName(source) ? null : note
      }),
      identity: [text(request.status), dosage, text(request.intent), reported]
    }
  }
})
