import { entryOf, readerOf, rowOf } from "./Reading.ts"
import type { Entry, Row, Section, SectionType } from "./Row.ts"
import { titlesOf } from "./Titles.ts"

export const sectionTitles: Readonly<Record<SectionType, string>> = {
  allergies: "Allergies and intolerances",
  problems: "Problems",
  medications: "Medications",
  immunizations: "Immunizations",
  laboratory: "Laboratory",
  "vital-signs": "Vital signs",
  observations: "Other observations",
  procedures: "Procedures",
  encounters: "Encounters",
  care: "Care",
  devices: "Devices",
  coverage: "Coverage",
  documents: "Documents",
  other: "Everything else"
}

const sectionTypes = Object.keys(sectionTitles) as ReadonlyArray<SectionType>

/** The sections in which resources of the type may be. */
export const sectionsOf = (resourceType: string): ReadonlyArray<SectionType> =>
  resourceType === "Observation"
    ? ["laboratory", "vital-signs", "observations"]
    : [readerOf(resourceType).place({ resourceType, json: {}, titleOf: () => undefined }).section]

/** Orders by section, group, date (newest first) and reference. References are unique, so the order is definite. */
export const compareEntries = (a: Entry, b: Entry): number =>
  sectionTypes.indexOf(a.section) - sectionTypes.indexOf(b.section) ||
  compare(a.group, b.group) ||
  compare(b.date, a.date) ||
  compare(a.reference, b.reference)

/** Sorts the entries. If entries of one group have different titles, all get the title that sorts first. */
export const inOrder = <E extends Entry>(entries: ReadonlyArray<E>): ReadonlyArray<E> => {
  const firsts = new Map<string, E>()
  for (const entry of entries) {
    const key = identityOf(entry)
    const first = firsts.get(key)
    if (
      first === undefined ||
      (compare(entry.group, first.group) || compare(entry.groupTitle ?? "", first.groupTitle ?? "")) < 0
    ) {
      firsts.set(key, entry)
    }
  }
  return entries.map((entry) => {
    const { group, groupTitle } = firsts.get(identityOf(entry))!
    return { ...entry, group, groupTitle }
  }).sort(compareEntries)
}

/** Identifies a group within its section: by the text after the tab, if there is one. */
const identityOf = ({ group, section }: Entry) => `${section}\t${group.slice(group.indexOf("\t") + 1)}`

/** Compares code units, so that the order does not depend on the machine's locale. */
export const compare = (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0

export interface RecordItem {
  readonly resourceType: string
  readonly fhirId: string
  readonly text: string
}

/**
 * Reads a whole record into sections. `completeness` has a sentence for each resource type that may be incomplete. The
 * sentence is in every section of the type, even in a section without rows.
 */
export const read = (
  items: ReadonlyArray<RecordItem>,
  completeness: ReadonlyMap<string, string> = new Map()
): ReadonlyArray<Section> => {
  const entries = inOrder(items.map((item) => ({ ...entryOf(item.resourceType, item.fhirId, item.text), item })))
  const titleOf = titlesOf(entries)
  return sectionTypes.flatMap((type) => {
    const groups = new Map<string, { readonly title: string | null; readonly rows: Array<Row> }>()
    for (const { group, groupTitle, item, section } of entries) {
      if (section === type) {
        if (!groups.has(group)) groups.set(group, { title: groupTitle, rows: [] })
        groups.get(group)!.rows.push(rowOf(item.resourceType, item.fhirId, item.text, titleOf))
      }
    }
    const sentences = [...completeness].filter(([resourceType]) => sectionsOf(resourceType).includes(type))
      .map(([, sentence]) => sentence)
    return groups.size === 0 && sentences.length === 0
      ? []
      : [{ type, title: sectionTitles[type], completeness: sentences, groups: [...groups.values()] }]
  })
}
