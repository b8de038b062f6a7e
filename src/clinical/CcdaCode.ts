import { mapCodingToCcdaCode } from "@medplum/ccda"
import type { CodeableConcept, Coding, Period } from "fhir/r4.js"
import { type Element, NotCda } from "./CcdaXml.ts"
import { codeText } from "./Coding.ts"
import { list, members, text } from "./Members.ts"

/** Code systems that VA's records use and the library does not know (HL7 OID registry). */
const oids: ReadonlyMap<string, string> = new Map([
  ["http://hl7.org/fhir/sid/icd-9-cm", "2.16.840.1.113883.6.103"],
  ["http://hl7.org/fhir/sid/icd-10-cm", "2.16.840.1.113883.6.90"],
  ["http://hl7.org/fhir/sid/icd-10", "2.16.840.1.113883.6.3"],
  ["http://hl7.org/fhir/sid/cvx", "2.16.840.1.113883.12.292"]
])

const oid = /^[0-2](\.(0|[1-9]\d*))+$/

/** A concept as a CDA code. Its words stand beside it, and alone if no code is of a system that has an OID. */
export const codeOf = (concept: unknown, words: string | null = codeText(concept)): Element => {
  const [first, ...others] = list(members<CodeableConcept>(concept).coding).flatMap(codingOf)
  if (first === undefined) {
    if (words === null) throw new NotCda()
    return { "@_nullFlavor": "UNK", originalText: words }
  }
  return { ...first, originalText: words ?? undefined, translation: others.length === 0 ? undefined : others }
}

const codingOf = (json: unknown): ReadonlyArray<Element> => {
  const { code, display, system } = members<Coding>(json)
  const [codeText, systemText] = [text(code), text(system)]
  if (codeText === null || systemText === null || !/^\S+$/.test(codeText)) return []
  const known = oids.get(systemText)
  const coding = mapCodingToCcdaCode({ system: systemText, code: codeText, display: text(display) ?? undefined })
  const codeSystem = known ?? coding["@_codeSystem"]
  return codeSystem === undefined || !oid.test(codeSystem) ? [] : [{ ...coding, "@_codeSystem": codeSystem }]
}

const fhirDate = /^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?$/

/** A template in its version of C-CDA R1.1, which has no extension, and in that of R2.1, which requires both. */
export const templates = (root: string, extension: unknown): ReadonlyArray<Element> => [
  { "@_root": root },
  ...extension === undefined ? [] : [{ "@_root": root, "@_extension": extension }]
]

/** A date as CDA writes it, with the same precision and zone. Another text cannot be translated. */
export const timeOf = (date: unknown): string => {
  if (typeof date !== "string" || date.length > 40 || !fhirDate.test(date)) throw new NotCda()
  const [day = "", time = ""] = date.split("T")
  return day.replaceAll("-", "") + time.replace(/\.\d+/, "").replaceAll(":", "").replace("Z", "+0000")
}

/** A date that may be missing. */
export const timeElement = (date: unknown): Element =>
  date === undefined || date === null ? unknown : { "@_value": timeOf(date) }

/** The interval of a date, a period, or neither. */
export const intervalOf = (date: unknown, period: unknown): Element => {
  if (period === undefined || period === null) return timeElement(date)
  const { end, start } = members<Period>(period)
  return { low: timeElement(start), ...end === undefined || end === null ? {} : { high: timeElement(end) } }
}

/** C-CDA's way to say that a value is not known. */
export const unknown: Element = { "@_nullFlavor": "UNK" }
