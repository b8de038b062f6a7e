import type { Condition, ConditionStage } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText, hasCode } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, members } from "./Members.ts"
import type { Place, Reader } from "./Reader.ts"
import { reference } from "./Reference.ts"
import { choice } from "./Value.ts"

const group = (group: string, groupTitle: string): Place => ({ section: "problems", group, groupTitle })
const active = group("1", "Active")
const unknown = group("2", "Status not recorded")
const inactive = group("3", "Inactive")
const resolved = group("4", "Resolved")
const dismissed = group("5", "Refuted or entered in error")

const places: ReadonlyArray<readonly [code: string, place: Place]> = [
  ["active", active],
  ["recurrence", active],
  ["relapse", active],
  ["inactive", inactive],
  ["remission", inactive],
  ["resolved", resolved]
]

const place = (json: unknown): Place => {
  const { clinicalStatus, verificationStatus } = members<Condition>(json)
  if (hasCode(verificationStatus, "refuted") || hasCode(verificationStatus, "entered-in-error")) return dismissed
  return places.find(([code]) => hasCode(clinicalStatus, code))?.[1] ?? unknown
}

const stage = (json: unknown) => {
  const { summary, type } = members<ConditionStage>(json)
  return joined([codeText(summary), codeText(type)])
}

export const condition: Reader = {
  place: ({ json }) => place(json),
  title: ({ json }) => codeText(members<Condition>(json).code),
  parts: ({ json, titleOf }) => {
    const problem = members<Condition>(json)
    const [recorder, asserter] = [reference(problem.recorder, titleOf), reference(problem.asserter, titleOf)]
    return {
      code: codeOf(problem.code),
      status: joined([conceptWords(problem.clinicalStatus), conceptWords(problem.verificationStatus)]),
      dates: labelled({
        Onset: choice(problem, "onset", titleOf),
        Ended: choice(problem, "abatement", titleOf),
        Recorded: dateText(problem.recordedDate)
      }),
      details: labelled({
        Severity: conceptWords(problem.severity),
        "Body site": each(problem.bodySite, codeText),
        Stage: each(problem.stage, stage),
        Category: each(problem.category, conceptWords),
        "Recorded by": recorder,
        "Asserted by": asserter === recorder ? null : asserter,
        Note: annotations(problem.note, titleOf)
      }),
      flags: [
        ...hasCode(problem.severity, "24484000") ? ["Severe"] : [],
        ...hasCode(problem.verificationStatus, "refuted") ? ["Refuted"] : []
      ]
    }
  }
}
