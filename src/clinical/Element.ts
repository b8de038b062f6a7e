import type { Quantity } from "fhir/r4.js"
import { address, contactPoint } from "./Address.ts"
import { annotation } from "./Annotation.ts"
import { attachment } from "./Attachment.ts"
import { codeText } from "./Coding.ts"
import { dateText, period } from "./DateText.ts"
import { dosage } from "./Dosage.ts"
import { humanName } from "./HumanName.ts"
import { identifier } from "./Identifier.ts"
import { each, joined, members, text, yesNo } from "./Members.ts"
import { money, quantity, range, ratio, sampledData } from "./Quantity.ts"
import { reference, type TitleOf } from "./Reference.ts"
import { timing } from "./Timing.ts"
import { choice } from "./Value.ts"
import { codeWords, words } from "./Words.ts"

/**
 * Reads an element of an unknown datatype. The names of its members identify the datatype; otherwise each member is
 * read: `Sequence 1, Outcome Healed`. Returns null if there is nothing to read.
 */
export const element = (json: unknown, titleOf: TitleOf, level = 0): string | null => {
  if (typeof json !== "object" || text(json) !== null) return dateText(json) ?? yesNo(json)
  if (level > maxLevel) return null
  if (Array.isArray(json)) return each(json, (one) => element(one, titleOf, level + 1), "; ")
  const own = members<Readonly<Record<string, unknown>>>(json)
  const names = Object.keys(own).filter((name) => name !== "id" && name !== "extension" && !name.startsWith("_"))
  if (names.includes("url") && names.every((name) => name === "url" || name.startsWith("value"))) {
    return extension(own, titleOf, level)
  }
  for (const [shape, read] of shapes) {
    const found = names.every((name) => shape.has(name)) ? read(json, titleOf) : null
    if (found !== null) return found
  }
  return joined(names.map((name) => named(name, own[name], titleOf, level + 1)))
}

/** The name and the value of a member. A narrative is not read, because it is the sender's own layout. */
const named = (name: string, value: unknown, titleOf: TitleOf, level: number) => {
  const said = name === "div" ? null : name === "status" ? codeWords(value) : element(value, titleOf, level)
  return said && `${labelOf(name)} ${said}`
}

/** The name of a member in words, without the datatype at its end: `effectiveDateTime` is `Effective`. */
export const labelOf = (name: string): string =>
  words(
    name.replace(
      /(?<=[a-z])(?:CodeableConcept|Reference|Quantity|DateTime|String|Boolean|Integer|PositiveInt|UnsignedInt|Decimal|Ratio|Range|Coding|Attachment|Uri|Canonical)$/,
      ""
    )
  ).trim() ||
  "Element"

/** An extension is named by the end of its URL: `Birth place: Boston`. */
const extension = (own: Readonly<Record<string, unknown>>, titleOf: TitleOf, level: number) => {
  const value = choice(own, "value", titleOf) ?? element(own["extension"], titleOf, level + 1)
  return value && `${labelOf(text(own["url"])?.split(/[/#]/).findLast((part) => part !== "") ?? "")}: ${value}`
}

/** FHIR's elements are never this deep. The limit protects the stack. */
const maxLevel = 24

const shapes = ([
  ["coding text", codeText],
  ["system version code display userSelected", codeText],
  ["reference type identifier display", reference],
  ["system value use rank period", contactPoint],
  ["use type system value period assigner", identifier],
  ["value comparator unit system code",
    (json: unknown) => typeof members<Quantity>(json).value === "string" ? null : quantity(json)],
  ["value currency", money],
  ["start end", period],
  ["low high", range],
  ["numerator denominator", ratio],
  ["use text family given prefix suffix period", humanName],
  ["use type text line city district state postalCode country period", address],
  ["authorReference authorString time text", annotation],
  ["contentType language data url size hash title creation", attachment],
  ["origin period factor lowerLimit upperLimit dimensions data", sampledData],
  ["event repeat code", timing],
  [
    "sequence text additionalInstruction patientInstruction timing asNeededBoolean asNeededCodeableConcept site route method doseAndRate " +
    "maxDosePerPeriod maxDosePerAdministration maxDosePerLifetime",
    dosage
  ]
] as const).map(([names, read]) => [new Set<string>(names.split(" ")), read] as const)
