import type { Immunization, ImmunizationProtocolApplied, ImmunizationReaction } from "fhir/r4.js"
import { isAnaphylaxis } from "./AllergyIntolerance.ts"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText, codeTexts } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, type Members, members, text } from "./Members.ts"
import { participants } from "./Participant.ts"
import { quantity } from "./Quantity.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** `1 of 2 (2-dose)`, or in the source's words: `Booster, series of 1`. */
const doseOfSeries = (json: unknown, titleOf: TitleOf) => {
  const protocol = members<ImmunizationProtocolApplied>(json)
  const number = choice(protocol, "doseNumber", titleOf)
  const all = choice(protocol, "seriesDoses", titleOf)
  const about = joined([text(protocol.series), codeTexts(protocol.targetDisease)])
  const which = number !== null && /^\d+$/.test(number)
    ? joined([number, all && `of ${all}`], " ")
    : joined([number, all && `series of ${all}`])
  return joined([which, about && `(${about})`], " ")
}

const reaction = (json: unknown, titleOf: TitleOf) => {
  const { date, detail, reported } = members<ImmunizationReaction>(json)
  const about = joined([dateText(date), reported === true ? "self-reported" : null])
  return joined([reference(detail, titleOf), about && `(${about})`], " ")
}

const isSevere = (reaction: string | null) => /^severe\b/i.test(reaction ?? "")

const hasReaction = ({ reaction, status }: Members<Immunization>) =>
  list(reaction).length > 0 && text(status) !== "entered-in-error" && text(status) !== "not-done"

export const immunization = typedReader<Immunization>({
  place: (vaccine) => ({
    section: "immunizations",
    group: "",
    groupTitle: null,
    standing: hasReaction(vaccine) ? "reaction" : null
  }),
  title: ({ vaccineCode }) => codeText(vaccineCode),
  parts: (vaccine, { titleOf }) => {
    const reactions = list(vaccine.reaction).map((one) => reaction(one, titleOf))
    const words = joined(reactions, "; ")
    const isNotDone = text(vaccine.status) === "not-done"
    return {
      code: codeOf(vaccine.vaccineCode),
      status: isNotDone ? "Not given" : codeWords(vaccine.status),
      dates: labelled({
        Date: choice(vaccine, "occurrence", titleOf),
        Recorded: dateText(vaccine.recorded)
      }),
      details: labelled({
        "Why not given": isNotDone ? codeText(vaccine.statusReason) : null,
        "Reason for status": isNotDone ? null : codeText(vaccine.statusReason),
        Dose: quantity(vaccine.doseQuantity),
        "Dose of series": each(vaccine.protocolApplied, (one) => doseOfSeries(one, titleOf), "; "),
        Lot: text(vaccine.lotNumber),
        Expires: dateText(vaccine.expirationDate),
        Site: codeText(vaccine.site),
        Route: codeText(vaccine.route),
        Manufacturer: reference(vaccine.manufacturer, titleOf),
        "Given by": participants(vaccine.performer, titleOf),
        Location: reference(vaccine.location, titleOf),
        Reason: reasons(vaccine.reasonCode, vaccine.reasonReference, titleOf),
        Reaction: words,
        "Why subpotent": each(vaccine.subpotentReason, conceptWords),
        Source: codeText(vaccine.reportOrigin),
        Note: annotations(vaccine.note, titleOf)
      }),
      flags: reactions.some(isAnaphylaxis) ? ["Anaphylaxis"] : reactions.some(isSevere) ? ["Severe"] : [],
      identity: [words]
    }
  }
})
