import type { AllergyIntolerance, AllergyIntoleranceReaction } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText, codeTexts, hasCode } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, members, text } from "./Members.ts"
import type { Place, Reader } from "./Reader.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** Current allergies come before past ones, without headings: a reader could skip a heading and miss a reaction. */
const place = (json: unknown): Place => {
  const { clinicalStatus, verificationStatus } = members<AllergyIntolerance>(json)
  const isOver = ["inactive", "resolved"].some((code) => hasCode(clinicalStatus, code)) ||
    ["refuted", "entered-in-error"].some((code) => hasCode(verificationStatus, code))
  return { section: "allergies", group: isOver ? "2" : "1", groupTitle: null }
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

/** A substance that harms the patient, or the statement that none is known. */
export const allergyIntolerance: Reader = {
  place: ({ json }) => place(json),
  title: ({ json }) => {
    const { code, reaction } = members<AllergyIntolerance>(json)
    return codeText(code) ?? each(reaction, (one) => codeText(members<AllergyIntoleranceReaction>(one).substance))
  },
  parts: ({ json, titleOf }) => {
    const allergy = members<AllergyIntolerance>(json)
    const severities = list(allergy.reaction).map((one) => text(members<AllergyIntoleranceReaction>(one).severity))
    return {
      code: codeOf(allergy.code),
      status: joined([conceptWords(allergy.clinicalStatus), conceptWords(allergy.verificationStatus)]),
      dates: labelled({
        Onset: choice(allergy, "onset", titleOf),
        Recorded: dateText(allergy.recordedDate),
        "Last occurrence": dateText(allergy.lastOccurrence)
      }),
      details: labelled({
        Reaction: each(allergy.reaction, (one) => reaction(one, titleOf), "\n"),
        Criticality: codeWords(allergy.criticality),
        Kind: joined([codeWords(allergy.type), each(allergy.category, codeWords)]),
        "Recorded by": reference(allergy.recorder, titleOf),
        Note: annotations(allergy.note, titleOf)
      }),
      flags: [
        ...severities.includes("severe") ? ["Severe"] : [],
        ...text(allergy.criticality) === "high" ? ["High criticality"] : [],
        ...hasCode(allergy.verificationStatus, "refuted") ? ["Refuted"] : []
      ]
    }
  }
}
