import type { Procedure } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText } from "./Coding.ts"
import { labelled } from "./Labels.ts"
import { each, joined, text } from "./Members.ts"
import { participants } from "./Participant.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, references } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

export const procedure = typedReader<Procedure>({
  place: () => ({ section: "procedures", group: "", groupTitle: null }),
  title: ({ code }) => codeText(code),
  parts: (done, { titleOf }) => {
    const isNotDone = text(done.status) === "not-done"
    return {
      code: codeOf(done.code),
      status: codeWords(done.status),
      dates: labelled({ Performed: choice(done, "performed", titleOf) }),
      details: labelled({
        [isNotDone ? "Why not done" : "Reason for status"]: codeText(done.statusReason),
        "Performed by": participants(done.performer, titleOf),
        Location: reference(done.location, titleOf),
        Reason: reasons(done.reasonCode, done.reasonReference, titleOf),
        "Body site": each(done.bodySite, codeText),
        Outcome: codeText(done.outcome),
        Complication: joined([each(done.complication, codeText), references(done.complicationDetail, titleOf)]),
        "Follow-up": each(done.followUp, codeText),
        Used: joined([each(done.usedCode, codeText), references(done.usedReference, titleOf)]),
        "Part of": references(done.partOf, titleOf),
        Category: codeText(done.category),
        Note: annotations(done.note, titleOf)
      })
    }
  }
})
