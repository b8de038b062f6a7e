import { withoutKinds } from "./ConceptKinds.ts"
import { type KeptItem, newestFirst } from "./GlanceCards.ts"
import { noRank, rankOf, shortNameOf } from "./KeyTests.ts"
import type { Summary } from "./Row.ts"
import { newestOfEach, testOf, trendOf } from "./Trend.ts"

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

/** A result this many years older than the newest one gets no rank, however important its test is. */
const years = 3

/** Results outside their range are shown even if the source gave no category. Critical ones come first. */
const remarkable =
  /(?:^|: )(?:critical|significantly|abnormal|high|low|above (?:range|the high)|below (?:range|the low))/i

/** `Critically high`, a laboratory's own `Critical value`, and the codes HX and LX. */
const critical = /(?:^|: )(?:critical|above the high|below the low)/i

const criticalRank = -1

export const resultsOf = (kept: ReadonlyArray<KeptItem>, room: number): Results => {
  const keys = new Map(kept.map(({ key, summary }) => [summary, key]))
  const byTest = Map.groupBy(kept.map(({ summary }) => summary), testOf)
  const newest = [...newestOfEach(kept.map(({ summary }) => summary))]
    .filter(([test, { entry, flags }]) =>
      entry.section !== "observations" || rankOf(test) !== noRank || flags.some((flag) => remarkable.test(flag))
    )
  const latest = newest.reduce((latest, [, { entry }]) => Math.max(latest, Number(entry.date.slice(0, 4))), 0)
  const rank = ([test, { entry, flags }]: readonly [string, Summary]) =>
    Number(entry.date.slice(0, 4)) + years < latest
      ? noRank
      : flags.some((flag) => critical.test(flag))
      ? criticalRank
      : rankOf(test)
  const sorted = newest.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    return one === other ? newestFirst({ summary: a[1] }, { summary: b[1] }) : one - other
  })
  // Tests of one rank, such as glucose in serum and in blood, share a place: the newer result is enough here.
  const shown = sorted.filter((one, index) =>
    [noRank, criticalRank].includes(rank(one)) || index === 0 || rank(sorted[index - 1]!) !== rank(one)
  ).slice(0, room)
  const named = shown.map(([test, result]) => ({ test, result, title: withoutKinds(result.title) }))
  const names = named.map(({ test, title }) => shortNameOf(test) ?? title)
  return {
    all: kept.length,
    items: named.map(({ result, test, title }, index) => ({
      key: keys.get(result)!,
      title,
      // Two old tests of one kind would look like one test.
      name: names.filter((name) => name === names[index]).length > 1 ? title : names[index]!,
      value: withoutKinds(result.value ?? ""),
      range: result.range,
      date: result.entry.date,
      flags: result.flags,
      spark: trendOf(byTest.get(test) ?? [], result)?.points.slice(-12).map(({ values }) => values[0]!) ?? []
    }))
  }
}
