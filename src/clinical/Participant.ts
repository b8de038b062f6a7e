import type { Period } from "fhir/r4.js"
import { hasCode } from "./Coding.ts"
import { wordsOf } from "./ConceptWords.ts"
import { period } from "./DateText.ts"
import { each, joined, members } from "./Members.ts"
import { reference, type TitleOf } from "./Reference.ts"

/** The members of a participant, under every name that R4's types use for them. */
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
const functions: ReadonlyMap<string, string> = new Map([
  ["AP", "administering provider"],
  ["OP", "ordering provider"]
])

/** `Dr. Carla Espinosa (surgeon, for University Medical Hospital)` */
const participant = (json: unknown, titleOf: TitleOf, during: string | null) => {
  const one = members<Participant>(json)
  const who = reference(one.actor ?? one.individual ?? one.member, titleOf)
  const what = joined([
    each(one.function, role),
    each(one.role, role),
    each(one.type, role)
  ])
  const whom = reference(one.onBehalfOf, titleOf)
  const time = period(one.period)
  const about = joined([who && what, whom && `for ${whom}`, time === during ? null : time])
  return joined([who ?? what, about && `(${about})`], " ")
}

/** Omits the role `PPRF` (primary performer), because the label already says so. */
const role = (json: unknown) => hasCode(json, "PPRF") ? null : wordsOf(json, functions)

/** The participants in the sender's order. A participant's period is shown only if it differs from the resource's. */
export const participants = (
  json: unknown,
  titleOf: TitleOf,
  { during, separator = "; " }: { readonly during?: unknown; readonly separator?: string } = {}
): string | null => each(json, (one) => participant(one, titleOf, period(during)), separator)
