import { withoutKinds } from "./ConceptKinds.ts"
import { noRank, rankOf } from "./KeyTests.ts"
import type { Labelled, Summary } from "./Row.ts"
import { newestOfEach, testOf, trendOf } from "./Trend.ts"

/** What a clinician sees first. The portal's pages and a release's page "At a glance" word it each in their own way. */
export interface Glance {
  readonly allergies: AllergyCard
  readonly problems: Card
  readonly medications: Card
  readonly results: Results
}

export interface Card {
  /** The items that fit on the card. */
  readonly items: ReadonlyArray<GlanceItem>
  /** The number of current items. */
  readonly active: number
  readonly all: number
  /** True if some items are past or were entered in error. */
  readonly hasPast: boolean
  /** Statements of absence, such as “No known latex allergy”. They are neither items nor counted. */
  readonly statements: ReadonlyArray<GlanceItem>
}

export interface AllergyCard extends Card {
  /** Immunizations after which a reaction was recorded. They are not counted. */
  readonly vaccineReactions: ReadonlyArray<GlanceItem>
}

export interface GlanceItem {
  readonly key: number
  readonly title: string
  /** A dose or a reaction. */
  readonly detail: string | null
  /** The first date of the item with its label: `Onset`, `2019-03`. */
  readonly date: Labelled | null
  readonly hasStatus: boolean
  /** How many items of the record say the same. */
  readonly entries: number
  readonly flags: ReadonlyArray<string>
}

export interface Results {
  readonly items: ReadonlyArray<GlanceResult>
  readonly all: number
}

export interface GlanceResult {
  readonly key: number
  readonly title: string
  /** The short name of a key test, such as `eGFR`; the title of any other test. */
  readonly name: string
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

const room = { allergies: 10, problems: 8, medications: 8, results: 8 }

export const glanceOf = (kept: ReadonlyArray<KeptItem>): Glance => {
  const of = (section: Summary["entry"]["section"]) => kept.filter(({ summary }) => summary.entry.section === section)
  return {
    allergies: allergiesOf(of("allergies")),
    problems: cardOf(of("problems"), room.problems),
    medications: cardOf(of("medications"), room.medications),
    results: resultsOf(kept.filter(({ summary }) => summary.entry.reference.startsWith("Observation/")))
  }
}

const newestFirst = (a: KeptItem, b: KeptItem) => {
  const [one, other] = [a.summary.entry.date, b.summary.entry.date]
  return one < other ? 1 : one > other ? -1 : a.key - b.key
}

/** Groups of `Condition` and `MedicationPlace`: current items, and items without a recorded status. */
export const isNow = ({ summary }: Pick<KeptItem, "summary">) => summary.entry.group === "1"
export const isUnknown = ({ summary: { entry } }: Pick<KeptItem, "summary">) =>
  entry.groupTitle === "Status not recorded" || entry.groupTitle === "Status not known"

const itemOf = (item: KeptItem): GlanceItem => {
  const { flags, title, value, when } = item.summary
  return {
    key: item.key,
    title: withoutKinds(title),
    detail: value === null ? null : withoutKinds(value),
    date: when,
    hasStatus: !isUnknown(item),
    entries: 1,
    flags
  }
}

const cardOf = (kept: ReadonlyArray<KeptItem>, room: number): Card => {
  const active = kept.filter(isNow).sort(newestFirst)
  const unknown = kept.filter(isUnknown).sort(newestFirst)
  return {
    items: [...active, ...unknown].slice(0, room).map(itemOf),
    active: active.length,
    all: kept.length,
    hasPast: kept.length > active.length + unknown.length,
    statements: []
  }
}

const isHighRisk = ({ summary: { flags } }: KeptItem) => flags.includes("Severe") || flags.includes("High criticality")

const allergiesOf = (kept: ReadonlyArray<KeptItem>): AllergyCard => {
  const active = kept.filter(isNow).sort((a, b) => Number(isHighRisk(b)) - Number(isHighRisk(a)) || newestFirst(a, b))
  return {
    items: active.slice(0, room.allergies).map(itemOf),
    active: active.length,
    all: kept.length,
    hasPast: kept.length > active.length,
    statements: [],
    vaccineReactions: []
  }
}

/** A result this many years older than the newest one gets no rank, however important its test is. */
const years = 3

const resultsOf = (kept: ReadonlyArray<KeptItem>): Results => {
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
  // Tests of one rank, such as glucose in serum and in blood, share a place: the newer result is enough here.
  const shown = sorted.filter((one, index) =>
    rank(one) === noRank || index === 0 || rank(sorted[index - 1]!) !== rank(one)
  ).slice(0, room.results)
  return {
    all: kept.length,
    items: shown.map(([test, result]) => ({
      key: keys.get(result)!,
      title: withoutKinds(result.title),
      name: withoutKinds(result.title),
      value: withoutKinds(result.value ?? ""),
      range: result.range,
      date: result.entry.date,
      flags: result.flags,
      spark: trendOf(byTest.get(test) ?? [], result)?.points.slice(-12).map(({ values }) => values[0]!) ?? []
    }))
  }
}
