import { convertFhirToCcda } from "@medplum/ccda"
import type { Bundle } from "fhir/r4.js"
import { templates } from "./CcdaCode.ts"
import { mends, type Told } from "./CcdaMending.ts"
import { type Element, type Made, NotCda, xmlOf } from "./CcdaXml.ts"
import { list, members } from "./Members.ts"
import { modifierWords, unknownModifiers } from "./Modifiers.ts"

export interface Translated extends Told {
  readonly resourceType: string
  readonly json: unknown
  readonly text: string
  /** LOINC code of the section, which decides what the library makes. */
  readonly section: string
  /** The identifier of the entry, and that of its row in the section's text. */
  readonly id: Element
  readonly row: string
}

/** The entry of a resource as XML, or undefined if it cannot be translated without saying something else. */
export const entryXml = (resource: Translated): string | undefined => {
  const mend = mends.get(resource.resourceType)
  if (mend === undefined || hasModifier(resource)) return undefined
  try {
    const entry = made(resource)
    mend(entry, resource.json, resource)
    const [kind] = Object.keys(entry)
    const [act] = entry[kind!]
    act.id = [resource.id]
    if (act.entryRelationship?.[0]?.observation !== undefined) {
      act.entryRelationship[0].observation[0].id = [partId(resource.id, 1)]
    }
    if (kind !== "organizer") act.text = rowOf(resource)
    return xmlOf("entry", organized(entry, resource))
  } catch {
    // The library expects valid FHIR. What upstream sends may be anything.
    return undefined
  }
}

const rowOf = ({ row }: Translated) => ({ reference: { "@_value": `#${row}` } })

/** Each part of an entry has another identifier. No FHIR id has the character `#`. */
const partId = (id: Element, number: number): Element => ({
  ...id,
  "@_extension": `${String(id["@_extension"])}#${number}`
})

/** A doubt, a refusal or an error has no place in the library's entries. A corrected result is a result. */
const hasModifier = ({ json, resourceType, text }: Translated) =>
  modifierWords(resourceType, json).some((words) => words !== "Amended" && words !== "Corrected") ||
  unknownModifiers(text, json).length > 0

/** The library translates documents. Each resource gets its own one, so that a faulty resource spoils no other. */
const made = ({ json, resourceType, section }: Translated): Made => {
  const { identifier: _, extension: __, ...resource } = members<Record<string, unknown>>(json)
  const bundle = {
    resourceType: "Bundle",
    type: "document",
    entry: [
      {
        resource: {
          resourceType: "Composition",
          section: [{ code: { coding: [{ code: section }] }, entry: [{ reference: `${resourceType}/1` }] }]
        }
      },
      { resource: { resourceType: "Patient" } },
      { resource: { ...resource, id: "1" } }
    ]
  }
  const { component } = convertFhirToCcda(bundle as unknown as Bundle)
  return component!.structuredBody!.component[0]!.section[0]!.entry![0] as Made
}

interface Organizer {
  readonly of: string
  readonly part: string
  readonly partVersion: string
  readonly code?: Element
  readonly span?: (time: unknown) => Element | undefined
}

/** These sections hold organizers only (C-CDA R2.1, Result Organizer and Vital Signs Organizer). */
const organizers: ReadonlyMap<string, Organizer> = new Map<string, Organizer>([
  ["30954-2", {
    of: "2.16.840.1.113883.10.20.22.4.1",
    part: "2.16.840.1.113883.10.20.22.4.2",
    partVersion: "2015-08-01",
    span: (time) => spanOf(time)
  }],
  ["8716-3", {
    of: "2.16.840.1.113883.10.20.22.4.26",
    part: "2.16.840.1.113883.10.20.22.4.27",
    partVersion: "2014-06-09",
    code: { "@_code": "46680005", "@_codeSystem": "2.16.840.1.113883.6.96", "@_displayName": "Vital signs" }
  }]
])

/** The time of a Result Organizer is a span, if it has any. */
const spanOf = (time: unknown): Element | undefined => {
  const [one] = list(time)
  const { "@_value": value, high, low } = members<Record<"@_value" | "high" | "low", unknown>>(one)
  if (value !== undefined) return { low: { "@_value": value }, high: { "@_value": value } }
  return low === undefined || high === undefined ? undefined : { low, high }
}

const organized = (entry: Made, resource: Translated): Element => {
  const made = entry["organizer"]?.[0] as Made | undefined
  const organizer = organizers.get(resource.section)
  if (organizer === undefined) {
    // The library takes what it does not know for vital signs.
    if (made !== undefined || entry["observation"]?.[0].templateId.some(isVitalSign)) throw new NotCda()
    return entry
  }
  const parts: ReadonlyArray<Made> = made?.["component"] ?? [{ observation: entry["observation"] }]
  // A Vital Sign Observation has a quantity with a unit. A pain score has none, and stays in the text.
  const isMeasured = ({ observation: [{ value }] }: Made) => value["@_xsi:type"] === "PQ"
  if (organizer.code !== undefined && !parts.every(isMeasured)) throw new NotCda()
  const { code, effectiveTime } = made ?? entry["observation"][0]
  return {
    organizer: [{
      "@_classCode": "CLUSTER",
      "@_moodCode": "EVN",
      templateId: templates(organizer.of, "2015-08-01"),
      id: [resource.id],
      code: organizer.code ?? code,
      statusCode: { "@_code": "completed" },
      effectiveTime: organizer.span === undefined ? effectiveTime : organizer.span(effectiveTime),
      component: parts.map(({ observation: [part] }, index) => ({
        observation: [{
          ...part,
          templateId: templates(organizer.part, organizer.partVersion),
          id: [partId(resource.id, index + 1)],
          text: rowOf(resource)
        }]
      }))
    }]
  }
}

const isVitalSign = (template: Element) => template["@_root"] === organizers.get("8716-3")!.part
