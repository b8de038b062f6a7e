import type { CareTeam } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf } from "./Coding.ts"
import { spokenWords } from "./ConceptWords.ts"
import { period } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, members, text } from "./Members.ts"
import { participants } from "./Participant.ts"
import type { Reader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { references } from "./Reference.ts"
import { codeWords } from "./Words.ts"

/** Who takes part in the patient's care. */
export const careTeam: Reader = {
  place: () => ({ section: "care", group: "2", groupTitle: "Care teams" }),
  title: ({ json }) => {
    const { category, name } = members<CareTeam>(json)
    return text(name) ?? spokenWords(category)
  },
  parts: ({ json, titleOf }) => {
    const team = members<CareTeam>(json)
    return {
      code: each(team.category, codeOf),
      status: codeWords(team.status),
      dates: labelled({ Period: period(team.period) }),
      details: labelled({
        Category: text(team.name) && spokenWords(team.category),
        Members: participants(team.participant, titleOf, "\n"),
        Reason: reasons(team.reasonCode, team.reasonReference, titleOf),
        Organization: references(team.managingOrganization, titleOf),
        Note: annotations(team.note, titleOf)
      })
    }
  }
}
