import type { Person } from "../../../src/clinical/Person.ts"

/** The flag of a patient who died. */
export const deceased = "Deceased"

export const isDeceased = (patient: Person | null): boolean => patient?.flags.includes(deceased) === true

/** Words a sentence so that it asks nobody who died. */
export const askingFor = (patient: Person | null) => (sentence: string): string =>
  isDeceased(patient)
    ? sentence.replaceAll("sk the patient", "sk the family or the sender")
      .replaceAll("sure with the patient", "sure with the family or the sender")
      .replaceAll("regunte al paciente", "regunte a la familia o a quien lo envió")
    : sentence
