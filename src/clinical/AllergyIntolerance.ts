import type { AllergyIntolerance, AllergyIntoleranceReaction } from "fhir/r4.js"
import { absenceText, isAbsence } from "./Absence.ts"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText, codeTexts, hasCode, means } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, type Members, members, text } from "./Members.ts"
import { doubts, isUnconfirmed } from "./Modifiers.ts"
import { type Place, typedReader } from "./Reader.ts"
import { reference, type TitleOf } from "./Reference.ts"
import type { Standing } from "./Row.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** Current allergies come before past ones, without a heading that could hide a reaction. */
const group = (group: string, standing: Standing): Place => ({
  section: "allergies",
  group,
  groupTitle: null,
  standing
})

/** Current allergies come before past ones, without headings: a reader could skip a heading and miss a reaction. */
const place = ({ clinicalStatus, code, verificationStatus }: Members<AllergyIntolerance>): Place => {
  const isEnded = ["inactive", "resolved"].some((code) => means(clinicalStatus, code))
  const isOver = (isEnded && !hasCode(clinicalStatus, "active")) ||
    ["refuted", "entered-in-error"].some((code) => means(verificationStatus, code))
  if (isOver) return group("2", "other")
  if (isAbsence(code)) return group("1 statements", "absent")
  return group("1", isUnconfirmed(verificationStatus) ? "unconfirmed" : "active")
}

/** `Urticaria (moderate, 2004)`, with its notes. */
const reaction = (json: unknown, titleOf: TitleOf) => {
  const one = members<AllergyIntoleranceReaction>(json)
  const about = joined([
    codeWords(one.severity)?.toLowerCase(),
    dateText(one.onset),
    codeText(one.substance),
    codeText(one.exposureRoute)
  ])
  return joined([
    joined([codeTexts(one.manifestation), about && `(${about})`], " "),
    text(one.description),
    annotations(one.note, titleOf)
  ], ": ")
}

/** By the code of SNOMED CT or by its words. A list of reactions may be cut before it, and often lacks a severity. */
const hasAnaphylaxis = (reactions: unknown) =>
  list(reactions).flatMap((one) => list(members<AllergyIntoleranceReaction>(one).manifestation)).some((one) =>
    hasCode(one, "39579001") || isAnaphylaxis(codeText(one))
  )

export const isAnaphylaxis = (reaction: string | null) => /^anaphyla/i.test(reaction ?? "")

/** A substance that harms the patient, or the statement that none is known. */
export const allergyIntolerance = typedReader<AllergyIntolerance>({
  place,
  title: ({ code, reaction }) =>
    (isAbsence(code) ? absenceText(code) : codeText(code)) ??
      each(reaction, (one) => codeText(members<AllergyIntoleranceReaction>(one).substance)),
  parts: (allergy, { titleOf }) => {
    const clinical = conceptWords(allergy.clinicalStatus)
    const reactions = each(allergy.reaction, (one) => reaction(one, titleOf), "\n")
    const kind = joined([codeWords(allergy.type), each(allergy.category, codeWords)])
    const severities = list(allergy.reaction).map((one) => text(members<AllergyIntoleranceReaction>(one).severity))
    return {
      code: codeOf(allergy.code),
      status: joined([clinical, conceptWords(allergy.verificationStatus)]),
      dates: labelled({
        Onset: choice(allergy, "onset", titleOf),
        Recorded: dateText(allergy.recordedDate),
        "Last occurrence": dateText(allergy.lastOccurrence)
      }),
      details: labelled({
        Reaction: reactions,
        Criticality: codeWords(allergy.criticality),
        Kind: kind,
        "Recorded by": reference(allergy.recorder, titleOf),
        Note: annotations(allergy.note, titleOf)
      }),
      flags: [
        ...severities.includes("severe") ? ["Severe"] : hasAnaphylaxis(allergy.reaction) ? ["Anaphylaxis"] : [],
        ...text(allergy.criticality) === "high" ? ["High criticality"] : []
      ],
      identity: [clinical, doubts(allergy.verificationStatus), reactions, kind, text(allergy.criticality)]
    }
  }
})
