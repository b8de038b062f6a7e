import type { Goal, GoalTarget } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { dateText } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, members, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** `Weight Measured: 160 to 180 lbs, by 2016-04-05` */
const target = (json: unknown, titleOf: TitleOf) => {
  const one = members<GoalTarget>(json)
  const due = choice(one, "due", titleOf)
  const aim = joined([choice(one, "detail", titleOf), due && `by ${due}`])
  return joined([codeText(one.measure), aim], ": ")
}

export const goal = typedReader<Goal>({
  place: () => ({ section: "care", group: "3", groupTitle: "Goals" }),
  title: ({ description }) => codeText(description),
  parts: (aim, { titleOf }) => ({
    code: codeOf(aim.description),
    status: joined([codeWords(aim.lifecycleStatus), conceptWords(aim.achievementStatus)]),
    dates: labelled({ Started: choice(aim, "start", titleOf), "Status since": dateText(aim.statusDate) }),
    details: labelled({
      Target: each(aim.target, (one) => target(one, titleOf), "\n"),
      "Reason for status": text(aim.statusReason),
      Outcome: reasons(aim.outcomeCode, aim.outcomeReference, titleOf),
      Addresses: reasons(null, aim.addresses, titleOf),
      Category: each(aim.category, conceptWords),
      Priority: conceptWords(aim.priority),
      "Expressed by": reference(aim.expressedBy, titleOf),
      Note: annotations(aim.note, titleOf)
    })
  })
})
