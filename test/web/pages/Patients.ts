import type { Texts } from "../../support/Sync.ts"
import { allergy, condition, order, patient, result } from "../record/Small.ts"

const word = (letter: string) => letter.repeat(120)

/** Words from outside may be very long. They must not push anything out of the page. */
export const longWords: Texts = {
  Patient: patient({ name: [{ text: word("N") }], birthDate: "1947-09-10", gender: "female" }),
  AllergyIntolerance: ["a", "b"].map((id) =>
    allergy(id, word("A"), {
      criticality: "high",
      reaction: [{ manifestation: [{ text: word("R") }], severity: "severe" }]
    })
  ),
  Condition: [condition("c", word("C"))],
  MedicationRequest: [order("m", word("M"), { dosageInstruction: [{ text: word("D") }] })],
  Observation: [result("o", { valueString: word("V") }, { code: { text: word("O") } })]
}
