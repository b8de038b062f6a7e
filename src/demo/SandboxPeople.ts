import { fileURLToPath } from "node:url"

/** Where the sandbox's records are. */
export const sandboxFolder = fileURLToPath(new URL("../../test/fixtures/fhir", import.meta.url))

export interface SandboxPerson {
  /** The id of the sign-in account at the VA (`sub`). It is not the patient's id. */
  readonly subject: string
  /** The patient's id at the VA (ICN). */
  readonly patientId: string
  readonly name: string
  readonly email: string
  /** What the record shows. */
  readonly story: string
  /** The folder of the record. */
  readonly record: string
}

/** The people as whom somebody may sign in at the sandbox VA. */
export const sandboxPeople: ReadonlyArray<SandboxPerson> = [
  {
    subject: "00usandboxeagle",
    patientId: "1012845672V157064",
    name: "Eagle One",
    email: "eagle.one@demo.example",
    story: "a record of which two kinds are not complete",
    record: "va-florentino8-raynor401"
  },
  {
    subject: "00usandboxhawk",
    patientId: "1010101010V202020",
    name: "Hawk Two",
    email: "hawk.two@demo.example",
    story: "a record that is whole",
    record: "syn-zandra428-ohara248"
  },
  {
    subject: "00usandboxrobin",
    patientId: "1012666073V986500",
    name: "Robin Three",
    email: "robin.three@demo.example",
    story: "nothing on file",
    record: "va-mock-986500"
  }
]
