import { sinceWords } from "../../../../src/clinical/GlanceWords.ts"
import type { Labelled } from "../../../../src/clinical/Row.ts"
import { standingTags } from "../../../../src/domain/Completeness.ts"
import type { Kind } from "../items/Kinds.ts"
import { englishDays } from "./EnglishDays.ts"

/** The noun for one item and for several. */
export type Nouns = readonly [one: string, several: string]

const number = (count: number) => count.toLocaleString("en-US")

const kinds: Readonly<Record<Kind | "results" | "all", string>> = {
  all: "All",
  results: "Results and vital signs",
  allergies: "Allergies",
  problems: "Problems",
  medications: "Medications",
  laboratory: "Lab results",
  "vital-signs": "Vital signs",
  observations: "Other findings",
  immunizations: "Immunizations",
  procedures: "Procedures",
  documents: "Reports and documents",
  encounters: "Visits",
  care: "Care plans and goals",
  devices: "Devices",
  coverage: "Coverage",
  patient: "About the patient",
  other: "Other",
  "from-the-patient": "From the patient",
  "shared-documents": "Documents",
  notes: "Notes"
}

/** The words of a record's parts, in English, which is the source. Clinicians read English. */
export const english = {
  days: englishDays,
  /** The language of what VA wrote, if it is another than the page's (WCAG 3.1.2). */
  ofSource: undefined as string | undefined,
  /** The words for a label, a status or a flag of `src/clinical`, or undefined for a text that the source wrote. */
  term: (text: string): string | undefined => text,
  since: (date: Labelled) => sinceWords(date),
  noDate: "No date",
  noDateWithin: "no date",
  loading: "Still loading",
  notAllLoaded: "Not all loaded",
  standings: standingTags,
  someDates: "Some dates only",
  asOf: (day: string) => `As of ${day}`,
  kinds,
  /** The cards of the first glance: their names, and the nouns for what is in them. */
  cards: {
    allergies: { name: "Allergies", nouns: ["allergy", "allergies"] as Nouns },
    problems: { name: "Problems", nouns: ["problem", "problems"] as Nouns },
    medications: { name: "Medications", nouns: ["medication entry", "medication entries"] as Nouns },
    results: { name: "Results", nouns: ["result", "results"] as Nouns }
  },
  latest: "Latest results",
  vaccineReactions: "Reactions to vaccines",
  all: (count: number, [one, several]: Nouns) => count === 1 ? `Show 1 ${one}` : `All ${number(count)} ${several}`,
  pastToo: ", past ones too",
  more: (count: number) => `and ${number(count)} more, not shown here`,
  lastSupplied: "Last dispensed or given:",
  saying: "The record says:",
  noStatus: "status not recorded",
  entries: (count: number) => `${count} entries`,
  showLess: "Show less",
  showWhole: "Show the whole text",
  written: (day: string) => `written ${day}`,
  about: "about",
  exactly: (figure: string) => `(exactly ${figure})`,
  results: {
    test: "Test",
    value: "Value",
    trend: "Trend",
    range: "Range",
    trendOf: (words: string) => `Trend: ${words}`,
    noneListed: (all: number) =>
      `${all === 1 ? "The 1 result here is not" : `None of the ${number(all)} results here is`} ` +
      "a key test, laboratory result or vital sign with a value. See all items.",
    noTrend: "No trend",
    oneValue: "1 value",
    spark: ({ count, high, isNewest, isPressure, last, low }: Spark) =>
      `${isNewest ? "newest " : ""}${count} ${isPressure ? "systolic " : ""}values, ` +
      `${low === high ? `all ${low}` : `${low} to ${high}`}, last ${last}`
  },
  filter: {
    search: "Search by name or value",
    kinds: "Kinds of items",
    kind: "Kind",
    from: "From date",
    to: "To date",
    some: "Only some items",
    active: "Active only",
    inWords: {
      search: (query: string) => `search “${query}”`,
      from: (day: string) => `from ${day}`,
      to: (day: string) => `to ${day}`,
      activeOfAll: "active allergies, problems and medications only",
      active: "active only",
      isNew: (since: string | null) => since === null ? "new or changed" : `new or changed since ${since}`
    }
  },
  list: {
    only: (filter: string) => `Only: ${filter}.`,
    sorted: (order: string) => `Sorted ${order}.`,
    sortings: {
      oldest: "oldest first",
      name: "by name, A to Z",
      nameDown: "by name, Z to A",
      kind: "by kind",
      kindDown: "by kind, last kind first"
    },
    reset: "Show all, newest first",
    count: (count: number, all: number, isFiltered: boolean) =>
      `${isFiltered ? `${number(count)} of ` : ""}${number(all)} item${all === 1 ? "" : "s"}`,
    stillLoading: ", still loading",
    undated: (count: number) =>
      `${count === 1 ? "1 item has no date, so it is" : `${number(count)} items have no date, so they are`} ` +
      "not in this list.",
    printed: (printed: number, count: number) =>
      `Only the first ${number(printed)} of ${number(count)} items are printed here. ` +
      "Search or choose a kind to print others."
  },
  item: {
    kind: "Kind",
    status: "Status",
    code: "Code",
    files: "Files",
    download: "Download",
    textOf: (title: string) => `Text of ${title}`,
    copy: "Copy the source",
    copied: "Copied.",
    notCopied: "This browser does not let us copy. Select the text and copy it.",
    beginning: (isSaved: boolean) =>
      `This is only the beginning. ${isSaved ? "Save the record" : "Copy the source"} to get all of it.`
  },
  /** A page inside a record, which comes from outside. */
  outside: {
    about: "This page comes from outside. Links and pictures in it are off.",
    beginning: "This is the beginning of a long page. Download it to see the rest."
  },
  trend: {
    heading: "Trend",
    drawing: "Drawing the trend",
    notDrawn: "The trend could not be drawn now.",
    of: (title: string) => `Trend of ${title}`,
    oneValue: "There is only one value.",
    values: (count: number, unit: string, from: string, to: string) =>
      `${number(count)} values${unit === "" ? "" : ` in ${unit}`}, ${from} to ${to}.`,
    twoLines: "The upper line is systolic, the lower diastolic.",
    others: (count: number) =>
      `${count === 1 ? "1 result is" : `${number(count)} results are`} ` +
      "not in the line: another unit, no exact number, or no date.",
    inTable: "The table has them.",
    show: "Show the values as a table",
    table: "Values of the trend",
    date: "Date",
    value: "Value",
    notInLine: "(not in the line)",
    newest: (count: number) => `These are the newest ${count} values.`,
    below: (label: string) => `${label}. The values stand in the table below.`
  }
}

/** What a sparkline shows, for words. */
export interface Spark {
  readonly count: number
  /** True if older values are left out. */
  readonly isNewest: boolean
  /** True if only the systolic values of a blood pressure are in it. */
  readonly isPressure: boolean
  readonly low: string
  readonly high: string
  readonly last: "up" | "down" | "the same"
}

/** Every other language has the same keys. A missing one does not compile. */
export type RecordWords = typeof english
