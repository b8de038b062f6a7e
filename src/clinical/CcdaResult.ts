import type { Observation, ObservationComponent, ObservationReferenceRange, Quantity } from "fhir/r4.js"
import { codeOf, intervalOf, templates } from "./CcdaCode.ts"
import { type Element, type Made, NotCda } from "./CcdaXml.ts"
import { codings, hasCode } from "./Coding.ts"
import { list, type Members, members, text } from "./Members.ts"
import { quantity } from "./Quantity.ts"

/**
 * The VA sends the integer 0 beside a quantity, and beside the components of a blood pressure. It is no value there: a
 * height of 65.7 inches would be 0.
 */
export const withoutFiller = (json: unknown): unknown => {
  const { valueInteger, ...rest } = members<Observation>(json)
  const isFiller = text(valueInteger) === "0" && (valuesIn(rest).length > 0 || componentsOf(rest).length > 0)
  return isFiller ? rest : json
}

const valuesIn = (json: object) => Object.keys(json).filter((name) => /^value[A-Z]/.test(name))

export const componentsOf = (json: unknown): ReadonlyArray<unknown> => list(members<Observation>(json).component)

/** Corrects the entry of a result, or of one component of it. */
export const mendResult = (made: Made, json: unknown, component: unknown = json): void => {
  const whole = members<Observation>(json)
  const part = members<Observation & ObservationComponent>(component)
  const isPart = component !== json
  // The members of a group, and components beside a value, would be left out.
  if (!isPart && (list(whole.hasMember).length > 0 || componentsOf(json).length > 0)) throw new NotCda()
  // The focus is not the patient but, for example, a fetus or a donor.
  if (list(whole.focus).length > 0) throw new NotCda()
  const isSocialHistory = !isPart && isSocial(whole.category)
  if (isSocialHistory) made["templateId"] = templateOf(made["templateId"])
  // A pregnancy is asserted in the social history. Elsewhere the code is all that says what the value is about.
  const isAssertion = isSocialHistory && made["code"]?.["@_code"] === "ASSERTION"
  if (!isAssertion) made["code"] = codeOf(part.code)
  made["effectiveTime"] = [intervalOf(whole.effectiveDateTime ?? whole.effectiveInstant, whole.effectivePeriod)]
  made["value"] = valueOf(part)
  made["interpretationCode"] = list(part.interpretation).flatMap(interpretationOf)
  made["targetSiteCode"] = list(whole.bodySite).map((site) => codeOf(site))
  made["referenceRange"] = rangeOf(list(part.referenceRange), members<Quantity>(part.valueQuantity))
  for (const unsure of ["author", "entryRelationship"]) delete made[unsure]
}

const isSocial = (category: unknown) => list(category).some((one) => hasCode(one, "social-history"))

/** The library takes a social history for a vital sign, unless it knows the code. */
const templateOf = (known: ReadonlyArray<Element>) =>
  known.some((template) => template["@_root"] === vitalSign) ? socialHistory : known

const vitalSign = "2.16.840.1.113883.10.20.22.4.27"

const socialHistory = templates("2.16.840.1.113883.10.20.22.4.38", "2015-08-01")

/** The library drops a comparator (`<5`), and takes a unit's words for its UCUM code. */
const valueOf = (part: Members<Observation>): Element => {
  const { valueCodeableConcept, valueInteger, valueQuantity, valueString } = part
  // Nobody knows which of two values is meant.
  if (valuesIn(part).length !== 1) throw new NotCda()
  const words = text(valueString) ?? text(valueInteger)
  if (words !== null) return inWords(words)
  if (valueQuantity !== undefined) return measured(valueQuantity) ?? inWords(quantity(valueQuantity))
  if (valueCodeableConcept === undefined) throw new NotCda()
  return { "@_xsi:type": "CD", ...codeOf(valueCodeableConcept) }
}

const inWords = (words: string | null): Element => {
  if (words === null) throw new NotCda()
  return { "@_xsi:type": "ST", "#text": words }
}

/** A physical quantity, if it has a UCUM code. */
const measured = (json: unknown): Element | undefined => {
  const { code, comparator, value } = members<Quantity>(json)
  const unit = ucum(json)
  const number = text(value)
  if (comparator !== undefined || unit === null || number === null || !decimal.test(number)) return undefined
  return { "@_xsi:type": "PQ", "@_value": number, "@_unit": text(code)! }
}

const decimal = /^-?\d{1,40}(\.\d{1,40})?$/

const ucum = (json: unknown) => {
  const { code, system } = members<Quantity>(json)
  return text(system) === "http://unitsofmeasure.org" && /^\S+$/.test(text(code) ?? "") ? text(code) : null
}

const interpretationOf = (concept: unknown): ReadonlyArray<Element> => {
  const found = codings(concept).find(({ system }) =>
    text(system) === "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
  )
  const code = text(found?.code)
  return code === null || !/^[A-Z<>]{1,10}$/.test(code)
    ? []
    : [{ "@_code": code, "@_codeSystem": "2.16.840.1.113883.5.83" }]
}

/** A range that is for some people only, or one of several, is left to the text. */
const rangeOf = (ranges: ReadonlyArray<unknown>, value: Members<Quantity>): ReadonlyArray<Element> => {
  const [first, ...others] = ranges
  const { age, appliesTo, high, low, type } = members<ObservationReferenceRange>(first)
  if (others.length > 0 || age !== undefined || list(appliesTo).length > 0) return []
  if (type !== undefined && !hasCode(type, "normal")) return []
  const bounds = [["low", low], ["high", high]].flatMap(([name, bound]) => {
    const written = bound === undefined ? undefined : measured(bound)
    if (written === undefined || written["@_unit"] !== text(value.code)) return []
    const { "@_xsi:type": _, ...plain } = written
    return [[name as string, plain] as const]
  })
  const sent = [low, high].filter((bound) => bound !== undefined).length
  if (sent === 0 || bounds.length < sent) return []
  return [{ observationRange: { value: { "@_xsi:type": "IVL_PQ", ...Object.fromEntries(bounds) } } }]
}
