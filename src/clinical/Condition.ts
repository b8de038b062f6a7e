import type { Condition, ConditionStage } from "fhir/r4.js"
import { isAbsence } from "./Absence.ts"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText, hasCode, means } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, type Members, members } from "./Members.ts"
import { doubts, isUnconfirmed } from "./Modifiers.ts"
import { type Place, type Source, typedReader } from "./Reader.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { choice } from "./Value.ts"

const group = (group: string, groupTitle: string): Place => ({
  section: "problems",
  group,
  groupTitle,
  standing: "other"
})
const absent: Place = { ...group("0", "Statements"), standing: "absent" }
const active: Place = { ...group("1", "Active"), standing: "active" }
const unconfirmed: Place = { ...group("1 not confirmed", "Active, not confirmed"), standing: "unconfirmed" }
const unknown: Place = { ...group("2", "Status not recorded"), standing: "unknown" }
const inactive = group("3", "Inactive")
const resolved = group("4", "Resolved")
const dismissed = group("5", "Refuted or entered in error")

const places: ReadonlyArray<readonly [code: string, place: Place]> = [
  ["active", active],
  ["recurrence", active],
  ["relapse", active],
  ["inactive", inactive],
  ["remission", inactive],
  ["resolved", resolved],
  ["in-remission", inactive]
]

/** Older versions of FHIR have `abatementBoolean`. */
const hasEnded = (problem: Members<Condition>, titleOf: TitleOf) =>
  !("abatementBoolean" in problem && problem.abatementBoolean === false) &&
  choice(problem, "abatement", titleOf) !== null

const place = (problem: Members<Condition>, { titleOf }: Source): Place => {
  const { clinicalStatus, code, verificationStatus } = problem
  if (means(verificationStatus, "refuted") || means(verificationStatus, "entered-in-error")) return dismissed
  const place = places.find(([code]) => means(clinicalStatus, code))?.[1] ??
    (hasEnded(problem, titleOf) ? resolved : unknown)
  if (isAbsence(code) && (place === active || place === unknown)) return absent
  return place === active && isUnconfirmed(verificationStatus) ? unconfirmed : place
}

const stage = (json: unknown) => {
  const { summary, type } = members<ConditionStage>(json)
  return joined([codeText(summary), codeText(type)])
}

export const condition = typedReader<Condition>({
  place,
  title: ({ code }) => codeText(code),
  parts: (problem, { titleOf }) => {
    const clinical = conceptWords(problem.clinicalStatus)
    const [severity, sites] = [conceptWords(problem.severity), each(problem.bodySite, codeText)]
    const stages = each(problem.stage, stage)
    const [recorder, asserter] = [reference(problem.recorder, titleOf), reference(problem.asserter, titleOf)]
    return {
      code: codeOf(problem.code),
      status: joined([clinical, conceptWords(problem.verificationStatus)]),
      dates: labelled({
        Onset: choice(problem, "onset", titleOf),
        Ended: choice(problem, "abatement", titleOf),
        Recorded: dateText(problem.recordedDate)
      }),
      details: labelled({
        Severity: severity,
        "Body site": sites,
        Stage: stages,
        Category: each(problem.category, conceptWords),
        "Recorded by": recorder,
        "Asserted by": asserter === recorder ? null : asserter,
        Note: annotations(problem.note, titleOf)
      }),
      flags: hasCode(problem.severity, "24484000") ? ["Severe"] : [],
      identity: [clinical, doubts(problem.verificationStatus), severity, sites, stages]
    }
  }
})
