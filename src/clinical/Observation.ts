import type { Observation, ObservationComponent, ObservationReferenceRange } from "fhir/r4.js"
import { annotations } from "./Annotation.ts"
import { bloodPressure } from "./BloodPressure.ts"
import { codeGroup } from "./CodeGroup.ts"
import { codeOf, codeText, codeTexts, means } from "./Coding.ts"
import { dateText } from "./DateText.ts"
import { alarming, interpretation } from "./Interpretation.ts"
import { labelled } from "./Labels.ts"
import { each, joined, list, type Members, members, text } from "./Members.ts"
import { againstOwnRange } from "./OwnRange.ts"
import { range } from "./Quantity.ts"
import { typedReader } from "./Reader.ts"
import { reference, references, type TitleOf } from "./Reference.ts"
import type { Labelled } from "./Row.ts"
import { shortened } from "./Shortened.ts"
import { choice } from "./Value.ts"
import { codeWords } from "./Words.ts"

export const observation = typedReader<Observation>({
  place: ({ category, code }) => {
    if (list(category).some((one) => means(one, "laboratory"))) {
      return { section: "laboratory", ...codeGroup(code, null) }
    }
    if (list(category).some((one) => means(one, "vital-signs"))) {
      return { section: "vital-signs", ...codeGroup(code, null) }
    }
    return { section: "observations", ...codeGroup(code, codeTexts(category) ?? "Without a category") }
  },
  title: ({ code }) => codeText(code),
  mention: (result, { titleOf }) =>
    joined([codeText(result.code), valueOf(result, titleOf) ?? componentValues(result, titleOf)], ": "),
  marks: (result) => marksOf(result),
  parts: (result, { titleOf }) => ({
    code: codeOf(result.code),
    status: codeWords(result.status),
    dates: labelled({ Date: choice(result, "effective", titleOf), Issued: dateText(result.issued) }),
    details: [
      ...labelled({
        Value: valueOf(result, titleOf),
        "Value of the whole": bloodPressure(result.component) && choice(result, "value", titleOf),
        "No value because": absence(result),
        "Reference range": each(result.referenceRange, referenceRange, "; "),
        Interpretation: interpretation(result.interpretation)
      }),
      ...componentsOf(result).flatMap((component) => componentDetail(component, titleOf)),
      ...labelled({
        Members: references(result.hasMember, titleOf),
        "Derived from": references(result.derivedFrom, titleOf),
        Note: annotations(result.note, titleOf),
        "Body site": codeText(result.bodySite),
        Method: codeText(result.method),
        Specimen: reference(result.specimen, titleOf),
        Device: reference(result.device, titleOf),
        Focus: references(result.focus, titleOf),
        "Performed by": references(result.performer, titleOf)
      })
    ],
    flags: marksOf(result),
    telling: componentValues(result, titleOf)
  })
})

const componentsOf = ({ component }: Members<Observation>) =>
  list(component).map((one) => members<ObservationComponent>(one))

const marksOf = (result: Members<Observation>): ReadonlyArray<string> => [
  ...remarkable(result, result),
  ...componentsOf(result).flatMap((component) =>
    remarkable(component, result).map((word) => joined([labelOf(component), word], ": ")!)
  )
]

/** What the source says of a value; if it says nothing of the whole result, how the value stands to its range. */
const remarkable = (part: Members<Observation> | Members<ObservationComponent>, whole: Members<Observation>) => {
  const said = alarming(part.interpretation)
  const isSilent = list(whole.interpretation).length === 0 && !withdrawn.has(text(whole.status) ?? "")
  const against = isSilent ? againstOwnRange(part) : null
  return against === null ? said : [...said, against]
}

const withdrawn = new Set(["cancelled", "entered-in-error"])

/** The VA sends a blood pressure with the value 0 beside its two components, so the components are preferred. */
const valueOf = (result: Members<Observation>, titleOf: TitleOf) =>
  bloodPressure(result.component)?.text ?? choice(result, "value", titleOf)

const absence = ({ dataAbsentReason }: Members<Observation> | Members<ObservationComponent>) => {
  const reason = codeText(dataAbsentReason)
  return reason && codeWords(reason)
}

/** A component's label is shortened, because each remark about the component repeats it. */
const labelOf = ({ code }: Members<ObservationComponent>) => {
  const label = codeText(code)
  return label && shortened(label, 300)
}

/** The value of a component, or why it has none. */
const componentValue = (component: Members<ObservationComponent>, titleOf: TitleOf) => [
  choice(component, "value", titleOf),
  said("no value because:", absence(component))
]

/** `Systolic: 68 mm[Hg]; Diastolic: no value because: palpated`. */
const componentValues = (result: Members<Observation>, titleOf: TitleOf) =>
  joined(
    componentsOf(result).map((component) => {
      const value = joined(componentValue(component, titleOf), "; ")
      return value && joined([labelOf(component), value], ": ")
    }),
    "; "
  )

const componentDetail = (component: Members<ObservationComponent>, titleOf: TitleOf): ReadonlyArray<Labelled> => {
  const told = joined([
    ...componentValue(component, titleOf),
    interpretation(component.interpretation),
    each(component.referenceRange, (one) => said("reference range", referenceRange(one)))
  ], "; ")
  const label = codeText(component.code)
  return told === null && label === null ? [] : [{ label: label ?? "Component", text: told ?? "No value" }]
}

const referenceRange = (json: unknown) => {
  const { age, appliesTo, high, low, text: written, type } = members<ObservationReferenceRange>(json)
  const bounds = range({ low, high })
  const remarks = joined([codeText(type), codeTexts(appliesTo), said("age", range(age))])
  const limits = joined([bounds, text(written) === bounds ? null : text(written)])
  return limits && joined([limits, remarks && `(${remarks})`], " ")
}

const said = (word: string, value: string | null) => value && `${word} ${value}`
