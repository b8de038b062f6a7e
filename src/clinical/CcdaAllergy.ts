import type { AllergyIntolerance } from "fhir/r4.js"
import { codeOf, unknown } from "./CcdaCode.ts"
import type { Element, Made } from "./CcdaXml.ts"
import { list, type Members, members, text } from "./Members.ts"

const snomed = (code: string, words: string): Element => ({
  "@_code": code,
  "@_codeSystem": "2.16.840.1.113883.6.96",
  "@_codeSystemName": "SNOMED CT",
  "@_displayName": words
})

/** By `type` and `category`, as HL7 maps them (C-CDA on FHIR). The library calls any of them an allergy. */
const kinds: ReadonlyMap<string, Element> = new Map([
  ["allergy food", snomed("414285001", "Allergy to food")],
  ["allergy medication", snomed("416098002", "Allergy to drug")],
  ["intolerance food", snomed("235719002", "Intolerance to food")],
  ["intolerance medication", snomed("59037007", "Intolerance to drug")]
])

const substance = snomed("419199007", "Allergy to substance")

const propensity = snomed("420134006", "Propensity to adverse reaction")

export const kindOf = ({ category, type }: Members<AllergyIntolerance>): Element => {
  const [kind, ...others] = list(category).map(text)
  const known = others.length === 0 ? kinds.get(`${text(type)} ${kind}`) : undefined
  return { "@_xsi:type": "CD", ...known ?? (type === "allergy" ? substance : propensity) }
}

/** Every reaction, and how dangerous the substance is. The library has the first reaction, and invents a severity. */
export const relatedOf = (
  { criticality, reaction }: Members<AllergyIntolerance>,
  made: Made
): ReadonlyArray<Element> => {
  const known = criticalities.get(text(criticality) ?? "")
  return [
    ...list(reaction).flatMap((one) =>
      list(members<{ manifestation: unknown }>(one).manifestation).map((manifestation) =>
        reactionOf(made, manifestation, text(members<{ severity: unknown }>(one).severity))
      )
    ),
    ...known === undefined ? [] : [criticalityOf(known)]
  ]
}

const reactionOf = (made: Made, manifestation: unknown, severity: string | null): Element => {
  const observation = made["observation"][0]
  const { entryRelationship: [grade], ...rest } = observation
  const known = severities.get(severity ?? "")
  return {
    ...made,
    observation: [{
      ...rest,
      id: [unknown],
      effectiveTime: undefined,
      value: { "@_xsi:type": "CD", ...codeOf(manifestation) },
      entryRelationship: known === undefined ? undefined : [{
        ...grade,
        observation: [{ ...grade.observation[0], value: { ...grade.observation[0].value, ...known } }]
      }]
    }]
  }
}

const severities: ReadonlyMap<string, Element> = new Map([
  ["mild", { "@_code": "255604002", "@_displayName": "Mild" }],
  ["moderate", { "@_code": "6736007", "@_displayName": "Moderate" }],
  ["severe", { "@_code": "24484000", "@_displayName": "Severe" }]
])

const criticalities: ReadonlyMap<string, Element> = new Map([
  ["high", { "@_code": "CRITH", "@_displayName": "High criticality" }],
  ["low", { "@_code": "CRITL", "@_displayName": "Low criticality" }]
])

/** Criticality Observation (C-CDA R2.1). */
const criticalityOf = (value: Element): Element => ({
  "@_typeCode": "SUBJ",
  "@_inversionInd": "true",
  observation: [{
    "@_classCode": "OBS",
    "@_moodCode": "EVN",
    templateId: [{ "@_root": "2.16.840.1.113883.10.20.22.4.145" }],
    code: { "@_code": "82606-5", "@_codeSystem": "2.16.840.1.113883.6.1", "@_codeSystemName": "LOINC" },
    statusCode: { "@_code": "completed" },
    value: { "@_xsi:type": "CD", ...value, "@_codeSystem": "2.16.840.1.113883.5.1063" }
  }]
})
