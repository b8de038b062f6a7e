import type { CareTeam, CareTeamParticipant } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { codeOf, codeText } from "./Coding.ts"
import { conceptsWithWords } from "./ConceptWords.ts"
import { period } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, members, text } from "./Members.ts"
import { participants } from "./Participant.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { namedReference, references } from "./Reference.ts"
import { codeWords } from "./Words.ts"

export const careTeam = typedReader<CareTeam>({
  place: () => ({ section: "care", group: "2", groupTitle: "Care teams" }),
  title: ({ category, name }) => text(name) ?? each(conceptsWithWords(category), codeText),
  mention: ({ name, participant }, { titleOf }) =>
    text(name) ?? each(participant, (one) => namedReference(members<CareTeamParticipant>(one).member, titleOf)),
  parts: (team, { titleOf }) => ({
    code: text(team.name) === null ? each(team.category, codeOf) : null,
    status: codeWords(team.status),
    dates: labelled({ Period: period(team.period) }),
    details: labelled({
      Category: text(team.name) && each(conceptsWithWords(team.category), codeText),
      Members: participants(team.participant, titleOf, { during: team.period, separator: "\n" }),
      Reason: reasons(team.reasonCode, team.reasonReference, titleOf),
      Organization: references(team.managingOrganization, titleOf),
      Note: annotations(team.note, titleOf)
    })
  })
})
