import type { Identifier } from "fhir/r4.js"
import { systemName } from "./CodeSystem.ts"
import { codeText } from "./Coding.ts"
import { joined, members, text } from "./Members.ts"

/** The value behind what it is: `Medical record number 12345`; a system says it where no type does. */
export const identifier = (json: unknown): string | null => {
  const { system, type, value } = members<Identifier>(json)
  const name = text(system)
  return text(json) ?? (text(value) && joined([codeText(type) ?? (name && systemName(name)), text(value)], " "))
}
