import type { Row, Summary } from "../../../src/clinical/Row.ts"
import { recordedDay } from "./ClinicalDays.ts"
import { withoutKinds } from "./ConceptKinds.ts"
import { noRank, rankOf } from "./KeyTests.ts"
import { newestOfEach, testOf, trendOf } from "./Trend.ts"

/** What a clinician sees first. */
export interface Glance {
  /** Null if the record has no Patient, or more than one. */
  readonly patient: Person | null
  readonly allergies: Card
  readonly problems: Card
  readonly medications: Card
  readonly results: Results
}

export interface Person {
  readonly name: string
  readonly born: string | null
  readonly sex: string | null
  readonly flags: ReadonlyArray<string>
}

export interface Card {
  /** The items that fit on the card. */
  readonly items: ReadonlyArray<GlanceItem>
  /** The number of current items. */
  readonly active: number
  readonly all: number
  /** True if some items are past or were entered in error. */
  readonly hasPast: boolean
}

export interface GlanceItem {
  readonly key: number
  readonly title: string
  readonly about: string
  readonly flags: ReadonlyArray<string>
}

export interface Results {
  readonly items: ReadonlyArray<GlanceResult>
  readonly all: number
}

export interface GlanceResult {
  readonly key: number
  readonly title: string
  readonly value: string
  readonly range: string | null
  readonly date: string
  readonly flags: ReadonlyArray<string>
  /** The newest twelve values, oldest first. A blood pressure gives its systolic values. */
  readonly spark: ReadonlyArray<number>
}

/** An item of the record and its key. */
export interface KeptItem {
  readonly key: number
  readonly summary: Summary
}

type RowOf = (key: number) => Row

const room = { allergies: 10, problems: 8, medications: 8, results: 8 }

export const glanceOf = (kept: ReadonlyArray<KeptItem>, rowOf: RowOf): Glance => {
  const of = (section: Summary["entry"]["section"]) => kept.filter(({ summary }) => summary.entry.section === section)
  return {
    patient: personOf(kept, rowOf),
    allergies: allergiesOf(of("allergies"), rowOf),
    problems: cardOf(of("problems"), room.problems, (item) => sinceWords(rowOf(item.key))),
    medications: cardOf(of("medications"), room.medications, (item) => doseWords(item.summary, rowOf(item.key))),
    results: resultsOf(kept.filter(({ summary }) => summary.entry.reference.startsWith("Observation/")), rowOf)
  }
}

const personOf = (kept: ReadonlyArray<KeptItem>, rowOf: RowOf): Person | null => {
  const people = kept.filter(({ summary }) => summary.entry.reference.startsWith("Patient/"))
  if (people.length !== 1) return null
  const { details, flags, title } = rowOf(people[0]!.key)
  const detailOf = (label: string) => details.find((one) => one.label === label)?.text ?? null
  // A Patient without a name has its type as title.
  return { name: title === "Patient" ? "" : title, born: detailOf("Born"), sex: detailOf("Sex"), flags }
}

const newestFirst = (a: KeptItem, b: KeptItem) => {
  const [one, other] = [a.summary.entry.date, b.summary.entry.date]
  return one < other ? 1 : one > other ? -1 : a.key - b.key
}

/**
 * `isNow` is true for current items, and `isUnknown` for items whose status is not known. Both read the groups that
 * `Condition.ts` and `MedicationPlace.ts` assign.
 */
const isNow = ({ summary }: KeptItem) => summary.entry.group === "1"
const isUnknown = ({ summary: { entry } }: KeptItem) =>
  entry.groupTitle === "Status not recorded" || entry.groupTitle === "Status not known"

const itemOf = ({ key, summary: { flags, title } }: KeptItem, about: string): GlanceItem => ({
  key,
  title: withoutKinds(title),
  about: withoutKinds(about),
  flags
})

const cardOf = (kept: ReadonlyArray<KeptItem>, room: number, about: (item: KeptItem) => string): Card => {
  const active = kept.filter(isNow).sort(newestFirst)
  const unknown = kept.filter(isUnknown).sort(newestFirst)
  return {
    items: [
      ...active.slice(0, room).map((item) => itemOf(item, about(item))),
      ...unknown.slice(0, Math.max(0, room - active.length)).map((item) =>
        itemOf(item, [about(item), "status not recorded"].filter((text) => text !== "").join("; "))
      )
    ],
    active: active.length,
    all: kept.length,
    hasPast: kept.length > active.length + unknown.length
  }
}

const isHighRisk = ({ summary: { flags } }: KeptItem) => flags.includes("Severe") || flags.includes("High criticality")

const allergiesOf = (kept: ReadonlyArray<KeptItem>, rowOf: RowOf): Card => {
  const active = kept.filter(isNow).sort((a, b) => Number(isHighRisk(b)) - Number(isHighRisk(a)) || newestFirst(a, b))
  return {
    items: active.slice(0, room.allergies).map((item) =>
      itemOf(item, item.summary.value ?? sinceWords(rowOf(item.key)))
    ),
    active: active.length,
    all: kept.length,
    hasPast: kept.length > active.length
  }
}

const sinceWords = ({ dates }: Row) => {
  const [first] = dates
  if (first === undefined) return ""
  const when = /^\d{4}(?:-\d\d){0,2}/.exec(first.text)?.[0]
  const verb = first.label === "Onset" ? "since" : first.label.toLowerCase()
  return when === undefined ? `${first.label.toLowerCase()} ${first.text}` : `${verb} ${recordedDay(when)}`
}

const doseWords = ({ entry, value }: Summary, { dates }: Row) => {
  const [first] = dates
  const verb = first?.label === "Authored" ? "ordered" : first?.label.toLowerCase() ?? ""
  // The full stop after the dose is removed, because more text follows. If there are several, the last may belong to an
  // abbreviation, so all stay.
  const dose = value?.replace(/^([^.]*)\.$/, "$1")
  return [dose ?? "Dose not given", entry.date === "" ? null : `${verb} ${recordedDay(entry.date)}`].filter((text) =>
    text !== null
  ).join("; ")
}

/** A result that is more than this many years older than the newest one gets no rank, however important its test is. */
const years = 3

const resultsOf = (kept: ReadonlyArray<KeptItem>, rowOf: RowOf): Results => {
  const keys = new Map(kept.map(({ key, summary }) => [summary, key]))
  const byTest = Map.groupBy(kept.map(({ summary }) => summary), testOf)
  const newest = [...newestOfEach(kept.map(({ summary }) => summary))]
    .filter(([test, { entry }]) => entry.section !== "observations" || rankOf(test) !== noRank)
  const latest = newest.reduce((latest, [, { entry }]) => Math.max(latest, Number(entry.date.slice(0, 4))), 0)
  const rank = ([test, { entry }]: readonly [string, Summary]) =>
    Number(entry.date.slice(0, 4)) + years >= latest ? rankOf(test) : noRank
  const sorted = newest.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    return one === other ? newestFirst({ key: 0, summary: a[1] }, { key: 0, summary: b[1] }) : one - other
  })
  // Tests of the same rank, such as glucose in serum and in blood, share one line, which shows the newest result.
  const shown = sorted.filter((one, index) =>
    rank(one) === noRank || index === 0 || rank(sorted[index - 1]!) !== rank(one)
  ).slice(0, room.results)
  return {
    all: kept.length,
    items: shown.map(([test, result]) => ({
      key: keys.get(result)!,
      title: withoutKinds(result.title),
      value: withoutKinds(result.value ?? ""),
      range: rowOf(keys.get(result)!).details.find(({ label }) => label === "Reference range")?.text ?? null,
      date: result.entry.date,
      flags: result.flags,
      spark: trendOf(byTest.get(test) ?? [], result)?.points.slice(-12).map(({ values }) => values[0]!) ?? []
    }))
  }
}
