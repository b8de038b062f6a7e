/** An element as `@medplum/ccda` makes it: `@_name` is an attribute, `#text` the content, all else child elements. */
export type Element = Readonly<Record<string, unknown>>

/** What the library made of a resource: elements that are corrected in place, because it returns plain objects. */
export type Made = Record<string, any>

/** The entry has a value that CDA has no place for, so it is not written. */
export class NotCda extends Error {}

const acts = "act encounter observation organizer procedure substanceAdministration"
const concept = "originalText translation"
const interval = "low high"
const organization = "id name telecom addr"

/**
 * The children of each element in the order of the schema (CDA R2 with SDTC, POCD_MT000040). A resource comes from
 * outside, so that an element may have no other children.
 */
const children: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.entries({
    ClinicalDocument: "realmCode typeId templateId id code title effectiveTime confidentialityCode languageCode " +
      "recordTarget author custodian documentationOf",
    recordTarget: "patientRole",
    patientRole: "id addr telecom patient",
    patient: "name administrativeGenderCode birthTime sdtc:deceasedInd raceCode ethnicGroupCode",
    name: "given family",
    author: "templateId time assignedAuthor",
    assignedAuthor: "id addr telecom assignedAuthoringDevice representedOrganization",
    assignedAuthoringDevice: "manufacturerModelName softwareName",
    representedOrganization: organization,
    custodian: "assignedCustodian",
    assignedCustodian: "representedCustodianOrganization",
    representedCustodianOrganization: organization,
    documentationOf: "serviceEvent",
    serviceEvent: "effectiveTime",
    act: "templateId id code text statusCode effectiveTime entryRelationship",
    encounter: "templateId id code text statusCode effectiveTime",
    observation: "templateId id code text statusCode effectiveTime value interpretationCode targetSiteCode " +
      "participant " +
      "entryRelationship referenceRange",
    organizer: "templateId id code statusCode effectiveTime component",
    procedure: "templateId id code text statusCode effectiveTime targetSiteCode",
    substanceAdministration: "templateId id code text statusCode effectiveTime doseQuantity consumable " +
      "entryRelationship",
    entryRelationship: acts,
    component: acts,
    entry: acts,
    consumable: "manufacturedProduct",
    manufacturedProduct: "templateId manufacturedLabeledDrug manufacturedMaterial",
    manufacturedMaterial: "code lotNumberText",
    participant: "participantRole",
    participantRole: "playingEntity",
    playingEntity: "code",
    referenceRange: "observationRange",
    observationRange: "text value",
    code: concept,
    targetSiteCode: concept,
    value: `${concept} ${interval}`,
    text: "reference",
    effectiveTime: interval
  }).map(([name, names]) => [name, names.split(" ")])
)

/** Writes an element with its children. Throws `NotCda` if the schema has no place for a part of it. */
export const xmlOf = (name: string, content: unknown): string => {
  if (typeof content === "string") return `<${name}>${escaped(content)}</${name}>`
  if (typeof content !== "object" || content === null || Array.isArray(content)) throw new NotCda()
  const element = content as Element
  const order = children.get(name) ?? []
  let attributes = ""
  let inner = ""
  for (const [key, value] of Object.entries(element)) {
    if (value === undefined) continue
    if (key.startsWith("@_")) {
      if (typeof value !== "string" || !attributeNames.has(key)) throw new NotCda()
      attributes += ` ${key.slice(2)}="${escaped(value)}"`
    } else if (key === "#text") {
      if (typeof value !== "string") throw new NotCda()
      inner += escaped(value)
    } else if (!order.includes(key)) throw new NotCda()
  }
  for (const child of order) {
    if (!Object.hasOwn(element, child)) continue
    const value = element[child]
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) inner += xmlOf(child, one)
  }
  return inner === "" ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`
}

const attributeNames = new Set(
  ("classCode moodCode typeCode inversionInd negationInd nullFlavor root extension code codeSystem codeSystemName " +
    "displayName value unit use xsi:type").split(" ").map((name) => `@_${name}`)
)

/** Characters that XML 1.0 cannot have, even escaped (2.2), become U+FFFD. */
const illegal = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "\r": "&#13;"
}

export const escaped = (text: string): string =>
  text.replaceAll(illegal, "\uFFFD").replaceAll(/[&<>"\r]/g, (character) => entities[character]!)
