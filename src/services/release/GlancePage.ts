import { type Card, type Glance, type GlanceItem, glanceOf, type KeptItem } from "../../clinical/Glance.ts"
import { summaryOf } from "../../clinical/Reading.ts"
import type { TitleOf } from "../../clinical/Reference.ts"
import type { SectionType } from "../../clinical/Row.ts"
import { sectionTitles } from "../../clinical/Sections.ts"
import { newestOfEach } from "../../clinical/Trend.ts"
import type { Block } from "../pdf/Lines.ts"
import type { Cell } from "../pdf/Table.ts"
import { rangeWords, type RecordHead } from "./RecordSummary.ts"
import type { ReleasedRecord } from "./ReleasedRecord.ts"
import { standingOf, standingWords, worstOf } from "./ReleaseWarnings.ts"
import { count } from "./ReleaseWords.ts"

const isListed: ReadonlySet<SectionType> = new Set(["allergies", "problems", "medications", "immunizations"])

/** Reads the glance of a record. The results of a test are read up to the newest one with a value. */
export const glanceIn = async (
  { entries, text }: Pick<ReleasedRecord, "entries" | "text">,
  titleOf: TitleOf
): Promise<Glance> => {
  const kept: Array<KeptItem> = []
  const told = new Set<string>()
  for (const [key, entry] of entries.entries()) {
    const test = `${entry.section}\t${entry.group}`
    const isResult = entry.resourceType === "Observation"
    if (isResult ? told.has(test) : !isListed.has(entry.section)) continue
    const summary = summaryOf(entry.resourceType, entry.fhirId, await text(entry), titleOf)
    if (isResult && newestOfEach([summary]).size === 0) continue
    if (isResult) told.add(test)
    kept.push({ key, summary })
  }
  return glanceOf(kept)
}

/** The page "At a glance", with at most `room` items in each list. */
export const glancePage = (glance: Glance, head: RecordHead, room: number): ReadonlyArray<Block> => [
  { kind: "heading", level: 2, text: "At a glance" },
  {
    kind: "columns",
    columns: [
      [
        ...listOf(head, glance.allergies, room, {
          title: "Allergies",
          noun: "allergies",
          section: "allergies",
          types: ["AllergyIntolerance"],
          textsOf: (item) => [item.detail, dateOf(item)]
        }),
        ...reactionsOf(glance),
        ...listOf(head, glance.problems, room, {
          title: "Active problems",
          noun: "active problems",
          section: "problems",
          types: ["Condition"],
          textsOf: (item) => [item.detail, dateOf(item)]
        })
      ],
      [
        ...listOf(head, glance.medications, room, {
          title: "Current medications",
          noun: "current medications",
          section: "medications",
          types: ["MedicationRequest", "MedicationStatement"],
          textsOf: (item) => [item.detail?.replace(/^([^.]*)\.$/, "$1") ?? "No dose recorded", dateOf(item)]
        }),
        ...suppliedOf(glance)
      ]
    ]
  },
  ...resultsOf(head, glance, room)
]

interface List {
  readonly title: string
  readonly noun: string
  readonly section: SectionType
  /** The resource types that the list needs. */
  readonly types: ReadonlyArray<string>
  readonly textsOf: (item: GlanceItem) => ReadonlyArray<string | null>
}

const listOf = (head: RecordHead, card: Card, room: number, list: List): ReadonlyArray<Block> => {
  const items = card.items.slice(0, room)
  const others = Math.max(card.active, card.items.length) - items.length
  const section = `in the section ${sectionTitles[list.section]}`
  const more = others > 0
    ? `and ${count(others)} more ${section}${card.hasPast ? ", past ones too" : ""}`
    : card.hasPast
    ? `past ones ${section}`
    : card.all > items.length
    ? `all entries ${section}`
    : null
  return [
    { kind: "heading", level: 3, text: card.active === 0 ? list.title : `${list.title} (${count(card.active)})` },
    entries([
      standing(head, list.types),
      ...items.length === 0 ? [[{ text: emptyWords(head, card, list) }]] : [],
      ...items.map((item): Cell => [{ text: named(item), bold: true }, ...below(item, list.textsOf(item))]),
      ...card.statements.slice(0, maxStatements).map((item): Cell => [{ text: clamped(item.title) }]),
      ...more === null ? [] : [[{ text: more }]]
    ])
  ]
}

const suppliedOf = ({ medications: { lastSupplied } }: Glance): ReadonlyArray<Block> => {
  if (lastSupplied === null) return []
  const day = lastSupplied.date?.text.slice(0, 10) ?? "no date"
  return [entries([[{ text: `Last dispensed or given: ${named(lastSupplied)}, ${day}` }]])]
}

const maxReactions = 6

const maxStatements = 4

const reactionsOf = ({ allergies: { vaccineReactions } }: Glance): ReadonlyArray<Block> => {
  if (vaccineReactions.length === 0) return []
  const others = vaccineReactions.length - maxReactions
  const isDangerous = ({ detail, flags }: GlanceItem) => /anaphyla|severe/i.test([detail, ...flags].join())
  const sorted = vaccineReactions.toSorted((a, b) => Number(isDangerous(b)) - Number(isDangerous(a)))
  const told = sorted.slice(0, maxReactions).map(({ date, detail, entries, title }) =>
    clamped(
      [title, detail, date?.text.slice(0, 10), entries > 1 ? `${entries} entries` : null]
        .filter((text) => text !== null && text !== undefined).join(", ")
    )
  )
  const more = others > 0 ? `; and ${count(others)} more in the section ${sectionTitles.immunizations}` : ""
  return [entries([[{ text: "Reactions after vaccines", bold: true }, { text: `${told.join("; ")}${more}` }]])]
}

const resultsOf = (head: RecordHead, { results }: Glance, room: number): ReadonlyArray<Block> => {
  const items = results.items.slice(0, room)
  const hasRange = items.some(({ range }) => range !== null)
  const types = ["Observation"]
  return [
    { kind: "heading", level: 3, text: "Latest results" },
    entries([
      standing(head, types),
      ...items.length > 0 ? [] : [[{
        text: emptyWords(head, { hasPast: false }, { title: "Results", noun: "results", types })
      }]]
    ]),
    ...items.length === 0 ? [] : [
      {
        kind: "table" as const,
        headers: ["Test", "Result", ...hasRange ? ["Reference range"] : [], "Date"],
        widths: [34, 30, ...hasRange ? [20] : [], 16],
        rows: items.map(({ date, flags, name, range, value }): ReadonlyArray<Cell> => [
          [{ text: clamped(name) }],
          [{ text: clamped([value, ...flags].join(" – ")), bold: true }],
          ...hasRange ? [range === null ? [] : [{ text: clamped(range) }]] : [],
          [{ text: date === "" ? "No date" : date.slice(0, 10) }]
        ])
      }
    ]
  ]
}

const entries = (items: ReadonlyArray<Cell>): Block => ({ kind: "entries", items })

const chosen = ({ record }: RecordHead, types: ReadonlyArray<string>) =>
  record.filter(({ resourceType }) => types.includes(resourceType))

const standing = (head: RecordHead, types: ReadonlyArray<string>): Cell => {
  const held = chosen(head, types)
  if (held.length === 0) return [{ text: "Not in this document." }]
  const range = rangeWords(head.information)
  return [{ text: range === null ? standingWords(held) : `Only items ${range}. ${standingWords(held)}` }]
}

const emptyWords = (
  head: RecordHead,
  { hasPast }: Pick<Card, "hasPast">,
  { noun, title, types }: Pick<List, "title" | "noun" | "types">
): string => {
  const held = chosen(head, types)
  if (held.length === 0) return "That is not the same as none. Ask the patient."
  switch (standingOf(worstOf(held))) {
    case "missing":
      return "This is not the same as “none.” Ask the patient."
    case "incomplete":
      return `No ${noun} were loaded. Do not read this as “none.” Ask the patient.`
    case "old":
    case "late":
      return `No ${noun} in this document. Ask the patient about changes since then.`
    case "current":
      if (rangeWords(head.information) !== null) {
        return `No ${noun} of these dates in this document. This is not the same as “none.” Ask the patient.`
      }
      return hasPast ? `No ${noun} in this document.` : `No ${title.toLowerCase()} in this document.`
  }
}

const named = ({ entries, flags, title }: GlanceItem) =>
  [clamped(title), ...entries > 1 ? [`${entries} entries`] : [], ...flags].join(" – ")

const below = ({ hasStatus }: GlanceItem, texts: ReadonlyArray<string | null>): Cell => {
  const told = [...texts, hasStatus ? null : "status not recorded"].filter((text) => text !== null && text !== "")
  return told.length === 0 ? [] : [{ text: clamped(told.join("; ")) }]
}

const verbs: Readonly<Record<string, string>> = { Onset: "since", Authored: "ordered" }

const dateOf = ({ date }: GlanceItem) =>
  date && `${verbs[date.label] ?? date.label.toLowerCase()} ${date.text.replace(/^(\d{4}-\d\d-\d\d) .*$/s, "$1")}`

const maxLength = 160

/** The page is a glance: the sections after it have the whole text. */
const clamped = (text: string) => {
  const characters = Array.from(text.replaceAll(/\s+/g, " "))
  return characters.length <= maxLength ? characters.join("") : `${characters.slice(0, maxLength).join("")}…`
}
