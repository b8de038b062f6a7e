interface Person {
  readonly id: string
  readonly fullName: string
  /** `YYYY-MM-DD`. */
  readonly dateOfBirth: string
}

/** The Patient of a release that releases none, from the person of the authorization (contract, part 6). */
export const madePatient = ({ dateOfBirth, fullName, id }: Person) => ({
  resourceType: "Patient",
  id,
  meta: { tag: [{ code: "generated", display: "Generated from the signed authorization" }] },
  name: [{ use: "official", text: fullName }],
  birthDate: dateOfBirth
})

/** Whether a released resource is that Patient. A reader has its facts from the authorization already. */
export const isMadePatient = (text: string, person: Person): boolean => text === JSON.stringify(madePatient(person))
