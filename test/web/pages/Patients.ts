import type { Texts } from "../../support/Sync.ts"

/** More results than one answer holds. */
export const many = Array.from({ length: 300 }, (_, n) =>
  JSON.stringify({
    resourceType: "Observation",
    id: `x${n}`,
    status: "final",
    code: { text: `Test ${n}` },
    valueString: "x"
  }))

const word = (letter: string) => letter.repeat(120)

/** Words from outside may be very long. They must not push anything out of the page. */
export const longWords: Texts = {
  Patient: [
    JSON.stringify({
      resourceType: "Patient",
      id: "p",
      name: [{ text: word("N") }],
      birthDate: "1947-09-10",
      gender: "female"
    })
  ],
  AllergyIntolerance: ["a", "b"].map((id) =>
    JSON.stringify({
      resourceType: "AllergyIntolerance",
      id,
      code: { text: word("A") },
      criticality: "high",
      clinicalStatus: { coding: [{ code: "active" }] },
      reaction: [{ manifestation: [{ text: word("R") }], severity: "severe" }]
    })
  ),
  Condition: [
    JSON.stringify({
      resourceType: "Condition",
      id: "c",
      code: { text: word("C") },
      clinicalStatus: { coding: [{ code: "active" }] }
    })
  ],
  MedicationRequest: [JSON.stringify({
    resourceType: "MedicationRequest",
    id: "m",
    status: "active",
    intent: "order",
    medicationCodeableConcept: { text: word("M") },
    dosageInstruction: [{ text: word("D") }]
  })],
  Observation: [JSON.stringify({
    resourceType: "Observation",
    id: "o",
    status: "final",
    category: [{ coding: [{ code: "laboratory" }] }],
    code: { text: word("O") },
    effectiveDateTime: "2026-06-03",
    valueString: word("V")
  })]
}
