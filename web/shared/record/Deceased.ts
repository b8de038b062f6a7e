import type { Person } from "../../../src/clinical/Person.ts"

export const isDeceased = (patient: Person | null): boolean => patient?.flags.includes("Deceased") === true

/** Words a sentence so that it asks nobody who died. */
export const askingFor = (patient: Person | null) => (sentence: string): string =>
  isDeceased(patient)
    ? sentence.replaceAll("sk the patient", "sk the family or the sender")
      .replaceAll("sure with the patient", "sure with the family or the sender")
    : sentence
