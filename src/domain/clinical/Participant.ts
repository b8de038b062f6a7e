import type { Period } from "fhir/r4.js"
import { codeText, hasCode } from "./Coding.ts"
import { period } from "./DateText.ts"
import { each, joined, members } from "./Members.ts"
import { reference, type TitleOf } from "./Reference.ts"

/** How R4 names the members of who takes part, in one type or another. */
interface Participant {
  readonly actor: unknown
  readonly individual: unknown
  readonly member: unknown
  readonly function: unknown
  readonly role: unknown
  readonly type: unknown
  readonly onBehalfOf: unknown
  readonly period: Period
}

/** Codes that are mostly sent without words (HL7 v2 table 0443). */
const functions: Readonly<Record<string, string>> = { AP: "administering provider", OP: "ordering provider" }

/** `Dr. Carla Espinosa (surgeon, for University Medical Hospital)` */
const participant = (json: unknown, titleOf: TitleOf) => {
  const one = members<Participant>(json)
  const who = reference(one.actor ?? one.individual ?? one.member, titleOf)
  const what = joined([
    each(one.function, role),
    each(one.role, role),
    each(one.type, role)
  ])
  const whom = reference(one.onBehalfOf, titleOf)
  const about = joined([who && what, whom && `for ${whom}`, period(one.period)])
  return who === null ? joined([what, about]) : joined([who, about && `(${about})`], " ")
}

/** Who did it is what the label says already. */
const role = (json: unknown) => {
  if (hasCode(json, "PPRF")) return null
  const known = Object.keys(functions).find((code) => hasCode(json, code))
  return known === undefined ? codeText(json) : functions[known] ?? null
}

/** Each who takes part, in the order in which they were sent. */
export const participants = (json: unknown, titleOf: TitleOf, separator = "; "): string | null =>
  each(json, (one) => participant(one, titleOf), separator)
