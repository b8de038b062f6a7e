import type { CarePlan, CarePlanActivity, CarePlanActivityDetail } from "fhir/r4.js"
import { annotation, annotations } from "./Annotation.ts"
import { codeOf, codeText } from "./Coding.ts"
import { conceptsWithWords } from "./ConceptWords.ts"
import { dateText, period } from "./DateText.ts"
import { labelled } from "./Labels.ts"
import { each, joined, type Members, members, text } from "./Members.ts"
import { isTrue } from "./Modifiers.ts"
import { typedReader } from "./Reader.ts"
import { reasons } from "./Reason.ts"
import { reference, references, type TitleOf } from "./Reference.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

/** `Antenatal education (Completed, Cape Cod Hospital)`, then its description and progress. */
const activity = (json: unknown, titleOf: TitleOf) => {
  const one = members<CarePlanActivity>(json)
  const detail = members<CarePlanActivityDetail>(one.detail)
  const name = codeText(detail.code) ?? text(detail.description) ?? reference(one.reference, titleOf) ??
    codeWords(detail.kind)
  const about = joined([
    codeWords(detail.status),
    choice(detail, "scheduled", titleOf),
    reference(detail.location, titleOf),
    references(detail.performer, titleOf)
  ])
  const heading = joined([isTrue(detail.doNotPerform) ? "Not to be done:" : null, name, about && `(${about})`], " ")
  const told = joined([
    codeText(detail.code) && text(detail.description),
    codeText(detail.statusReason),
    reasons(one.outcomeCodeableConcept, one.outcomeReference, titleOf),
    each(one.progress, (progress) => annotation(progress, titleOf), "; ")
  ], "; ")
  return joined([heading, told], ": ")
}

const titleOfPlan = ({ category, description, title }: Members<CarePlan>) =>
  text(title) ?? each(conceptsWithWords(category), codeText) ?? text(description)

export const carePlan = typedReader<CarePlan>({
  place: () => ({ section: "care", group: "1", groupTitle: "Care plans" }),
  title: titleOfPlan,
  parts: (plan, { titleOf }) => {
    const called = titleOfPlan(plan)
    const category = each(conceptsWithWords(plan.category), codeText)
    return {
      code: text(plan.title) === null ? each(conceptsWithWords(plan.category), codeOf) : null,
      status: codeWords(plan.status),
      dates: labelled({ Period: period(plan.period), Created: dateText(plan.created) }),
      details: labelled({
        Category: category === called ? null : category,
        Description: text(plan.description) === called ? null : text(plan.description),
        Intent: codeWords(plan.intent),
        Addresses: reasons(null, plan.addresses, titleOf),
        Goals: each(plan.goal, (goal) => reference(goal, titleOf), "\n"),
        Activities: each(plan.activity, (one) => activity(one, titleOf), "\n"),
        "Care team": references(plan.careTeam, titleOf),
        Author: reference(plan.author, titleOf),
        Note: annotations(plan.note, titleOf)
      })
    }
  }
})
