import { convertFhirToCcda } from "@medplum/ccda"
import type { Bundle } from "fhir/r4.js"
import { type Made, mends, type Told } from "./CcdaMending.ts"
import { type Element, NotCda, xmlOf } from "./CcdaXml.ts"
import { members } from "./Members.ts"
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
    if (kind !== "organizer") act.text = { reference: { "@_value": `#${resource.row}` } }
    return xmlOf("entry", organized(entry, resource))
  } catch {
    // The library expects valid FHIR. What upstream sends may be anything.
    return undefined
  }
}

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

/** These sections hold organizers only (C-CDA R2.1, Result Organizer and Vital Signs Organizer). */
const organizers: ReadonlyMap<string, { readonly of: string; readonly part: string; readonly code?: Element }> =
  new Map(
    [
      ["30954-2", { of: "2.16.840.1.113883.10.20.22.4.1", part: "2.16.840.1.113883.10.20.22.4.2" }],
      ["8716-3", {
        of: "2.16.840.1.113883.10.20.22.4.26",
        part: "2.16.840.1.113883.10.20.22.4.27",
        code: { "@_code": "46680005", "@_codeSystem": "2.16.840.1.113883.6.96", "@_displayName": "Vital signs" }
      }]
    ]
  )

const organized = (entry: Made, { id, section }: Translated): Element => {
  const made = entry["organizer"]?.[0] as Made | undefined
  const organizer = organizers.get(section)
  if (organizer === undefined) {
    // The library takes what it does not know for vital signs.
    if (made !== undefined || entry["observation"]?.[0].templateId.some(isVitalSign)) throw new NotCda()
    return entry
  }
  const parts: ReadonlyArray<Made> = made?.["component"] ?? [{ observation: entry["observation"] }]
  const { code, effectiveTime } = made ?? entry["observation"][0]
  return {
    organizer: [{
      "@_classCode": "CLUSTER",
      "@_moodCode": "EVN",
      templateId: templatesOf(organizer.of),
      id: [id],
      code: organizer.code ?? code,
      statusCode: { "@_code": "completed" },
      effectiveTime,
      component: parts.map(({ observation: [part] }, index) => ({
        observation: [{ ...part, templateId: templatesOf(organizer.part), id: [partId(id, parts.length, index)] }]
      }))
    }]
  }
}

const isVitalSign = (template: Element) => template["@_root"] === organizers.get("8716-3")!.part

const partId = (id: Element, count: number, index: number): Element =>
  count === 1 ? id : { ...id, "@_extension": `${String(id["@_extension"] ?? "")}.${index + 1}` }

const templatesOf = (root: string) => [{ "@_root": root }, { "@_root": root, "@_extension": "2015-08-01" }]
