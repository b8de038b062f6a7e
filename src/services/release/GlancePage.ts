import { withoutTimes } from "../../clinical/DateText.ts"
import { type Glance, glanceOf } from "../../clinical/Glance.ts"
import { type Card, fitting, type GlanceItem, type KeptItem } from "../../clinical/GlanceCards.ts"
import { doseWords, sinceWords } from "../../clinical/GlanceWords.ts"
import { summaryOf } from "../../clinical/Reading.ts"
import type { TitleOf } from "../../clinical/Reference.ts"
import type { SectionType } from "../../clinical/Row.ts"
import { sectionTitles } from "../../clinical/Sections.ts"
import { standingOf } from "../../clinical/SignedWarnings.ts"
import { newestOfEach } from "../../clinical/Trend.ts"
import type { Block } from "../pdf/Lines.ts"
import type { Cell } from "../pdf/Table.ts"
import { rangeWords, type RecordHead } from "./RecordSummary.ts"
import type { ReleasedRecord } from "./ReleasedRecord.ts"
import { standingWords, worstOf } from "./ReleaseWarnings.ts"
import { count, plural } from "./ReleaseWords.ts"

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
  const glance = glanceOf(kept)
  const all = entries.filter(({ resourceType }) => resourceType === "Observation").length
  return { ...glance, results: { ...glance.results, all } }
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
          currentNoun: "current allergies",
          section: "allergies",
          types: ["AllergyIntolerance"],
          detailOf: ({ detail }) => detail
        }),
        ...reactionsOf(glance),
        ...listOf(head, glance.problems, room, {
          title: "Active problems",
          noun: "active problems",
          currentNoun: "active problems",
          section: "problems",
          types: ["Condition"],
          detailOf: ({ detail }) => detail
        })
      ],
      [
        ...listOf(head, glance.medications, room, {
          title: "Current medications",
          noun: "current medications",
          currentNoun: "current medications",
          section: "medications",
          types: ["MedicationRequest", "MedicationStatement"],
          detailOf: ({ detail }) => doseWords(detail)
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
  /** The noun beside past items. */
  readonly currentNoun: string
  readonly section: SectionType
  /** The resource types that the list needs. */
  readonly types: ReadonlyArray<string>
  readonly detailOf: (item: GlanceItem) => string | null
}

const listOf = (head: RecordHead, card: Card, room: number, list: List): ReadonlyArray<Block> => {
  const items = fitting(card.items, room)
  const others = card.current - items.length
  const statements = card.statements.length - maxStatements
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
      ...items.map((item): Cell => [{ text: named(item), bold: true }, ...below(item, list.detailOf(item))]),
      ...card.statements.slice(0, maxStatements).map((
        item
      ): Cell => [{ text: named(item) }, ...below(item, item.detail)]),
      ...statements > 0 ? [[{ text: `and ${plural(statements, "more statement")} ${section}` }]] : [],
      ...more === null ? [] : [[{ text: more }]]
    ])
  ]
}

const suppliedOf = ({ medications: { lastSupplied } }: Glance): ReadonlyArray<Block> => {
  if (lastSupplied === null) return []
  return [entries([[{ text: `Last dispensed or given: ${named(lastSupplied)}, ${dayOf(lastSupplied) ?? "no date"}` }]])]
}

const maxReactions = 6

const maxStatements = 4

const reactionsOf = ({ allergies: { vaccineReactions } }: Glance): ReadonlyArray<Block> => {
  if (vaccineReactions.length === 0) return []
  const others = vaccineReactions.length - maxReactions
  const told = vaccineReactions.slice(0, maxReactions).map((item) =>
    [item.title, item.detail, dayOf(item), item.entries > 1 ? `${item.entries} entries` : null]
      .filter((text) => text !== null).map(clamped).join(", ")
  )
  const more = others > 0 ? `; and ${count(others)} more in the section ${sectionTitles.immunizations}` : ""
  return [entries([[{ text: "Reactions after vaccines", bold: true }, { text: `${told.join("; ")}${more}` }]])]
}

const resultsOf = (head: RecordHead, { results }: Glance, room: number): ReadonlyArray<Block> => {
  const items = results.items.slice(0, room)
  const hasRange = items.some(({ range }) => range !== null)
  const types = ["Observation"]
  const all = `${plural(results.all, "result")} in the sections after this page.`
  return [
    { kind: "heading", level: 3, text: "Latest results" },
    entries([
      standing(head, types),
      ...items.length > 0 ? [] : [[{
        text: results.all > 0
          ? `${all} None fits here.`
          : emptyWords(head, { hasPast: false }, { noun: "results", currentNoun: "results", types })
      }]]
    ]),
    ...items.length === 0 ? [] : [
      {
        kind: "table" as const,
        headers: ["Test", "Result", ...hasRange ? ["Reference range"] : [], "Date"],
        widths: [34, 30, ...hasRange ? [20] : [], 16],
        rows: items.map(({ date, flags, name, range, value }): ReadonlyArray<Cell> => [
          [{ text: clamped(name) }],
          [{ text: [value, ...flags].map(clamped).join(" – "), bold: true }],
          ...hasRange ? [range === null ? [] : [{ text: clamped(range) }]] : [],
          [{ text: date === "" ? "No date" : date.slice(0, 10) }]
        ])
      },
      entries([[{ text: all }]])
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
  return [{
    text: range === null
      ? standingWords(held, head.signedAt)
      : `Only items ${range}. ${standingWords(held, head.signedAt)}`
  }]
}

const emptyWords = (
  head: RecordHead,
  { hasPast }: Pick<Card, "hasPast">,
  list: Pick<List, "currentNoun" | "noun" | "types">
): string => {
  const held = chosen(head, list.types)
  const noun = hasPast ? list.currentNoun : list.noun
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
      return `No ${noun} in this document.`
  }
}

const named = ({ entries, flags, title }: GlanceItem) =>
  [title, ...entries > 1 ? [`${entries} entries`] : [], ...flags].map(clamped).join(" – ")

/** Each text is clamped alone, because a long one must not push the others out. */
const below = ({ date, hasStatus }: GlanceItem, detail: string | null): Cell => {
  const told = [detail, date && sinceWords(date), hasStatus ? null : "status not recorded"]
    .filter((text) => text !== null)
  return told.length === 0 ? [] : [{ text: told.map(clamped).join("; ") }]
}

const dayOf = ({ date }: GlanceItem) => date && clamped(withoutTimes(date.text))

const maxLength = 160

/** The page is a glance: the sections after it have the whole text. */
const clamped = (text: string) => {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  const characters = Array.from(lines.join("; ").replaceAll(/\s+/g, " "))
  return characters.length <= maxLength ? characters.join("") : `${characters.slice(0, maxLength).join("")}…`
}
