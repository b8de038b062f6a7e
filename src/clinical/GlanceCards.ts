import { withoutKinds } from "./ConceptKinds.ts"
import { doNotGive } from "./Modifiers.ts"
import type { Labelled, Standing, Summary } from "./Row.ts"
import { compare } from "./Sections.ts"

export interface Card {
  /** The items that fit on the card: active ones, then those whose flags or status say why they are not counted. */
  readonly items: ReadonlyArray<GlanceItem>
  /** The number of active items. Items that say the same count as one. */
  readonly active: number
  /** The number of lines that are not past: active ones, and those not confirmed, on hold or without a status. */
  readonly current: number
  /** The number of items of the record, without statements of absence. */
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

export interface MedicationCard extends Card {
  /** The newest dispense or administration, if no medication is active. Otherwise null. */
  readonly lastSupplied: GlanceItem | null
}

export interface GlanceItem {
  /** The newest of the items that say the same. */
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

/** An item of the record and its key. */
export interface KeptItem {
  readonly key: number
  readonly summary: Summary
}

type Order = (a: KeptItem, b: KeptItem) => number

/** Items of one date stand in the order of their references, so that screen and paper show the same. */
export const newestFirst = (a: Pick<KeptItem, "summary">, b: Pick<KeptItem, "summary">): number => {
  const [one, other] = [a.summary.entry, b.summary.entry]
  return compare(other.date, one.date) || compare(one.reference, other.reference)
}

const isOf = (...standings: ReadonlyArray<Standing>) => ({ summary: { entry } }: KeptItem) =>
  entry.standing !== null && standings.includes(entry.standing)

/** Problems or medications. Those that are not confirmed, not yet taken or of unknown status follow, uncounted. */
export const cardOf = (kept: ReadonlyArray<KeptItem>, room: number): Card => {
  const lines = (standing: Standing) => linesOf(kept.filter(isOf(standing)), newestFirst)
  const [active, ...others] = [lines("active"), lines("unconfirmed"), lines("waiting"), lines("unknown")] as const
  return cardWith(kept, active.length, [active, ...others].flat(), room)
}

/**
 * The lines that fit, in their order. Those that forbid a medication get up to half of the room, because a reader who
 * misses one may give it.
 */
export const fitting = (lines: ReadonlyArray<GlanceItem>, room: number): ReadonlyArray<GlanceItem> => {
  const isForbidding = ({ flags }: GlanceItem) => flags.includes(doNotGive)
  const forbidding = lines.filter(isForbidding).slice(0, Math.ceil(room / 2))
  const others = lines.filter((line) => !forbidding.includes(line)).slice(0, room - forbidding.length)
  return lines.filter((line) => forbidding.includes(line) || others.includes(line))
}

/** If no medication counts as active, the last one that was dispensed or given is told. */
export const medicationsOf = (kept: ReadonlyArray<KeptItem>, room: number): MedicationCard => {
  const card = cardOf(kept, room)
  const supplied = card.active > 0 ? [] : linesOf(kept.filter(isOf("supplied")), newestFirst)
  return { ...card, lastSupplied: supplied[0] ?? null }
}

/** An unconfirmed allergy counts, because it may be real. Dangerous allergies come first, then confirmed ones. */
export const allergiesOf = (
  kept: ReadonlyArray<KeptItem>,
  immunizations: ReadonlyArray<KeptItem>,
  room = 10
): AllergyCard => {
  const current = linesOf(
    kept.filter(isOf("active", "unconfirmed")),
    (a, b) => dangerousFirst(a, b) || doubt(a) - doubt(b) || newestFirst(a, b)
  )
  return {
    ...cardWith(kept, current.length, current, room),
    vaccineReactions: linesOf(
      immunizations.filter(isOf("reaction")),
      (a, b) => dangerousFirst(a, b) || newestFirst(a, b)
    )
  }
}

const dangers = ["Severe", "High criticality", "Anaphylaxis"]

const danger = ({ summary: { flags } }: KeptItem) => Number(flags.some((flag) => dangers.includes(flag)))

const dangerousFirst = (a: KeptItem, b: KeptItem) => danger(b) - danger(a)

const doubt = ({ summary: { entry } }: KeptItem) => Number(entry.standing === "unconfirmed")

const cardWith = (
  kept: ReadonlyArray<KeptItem>,
  active: number,
  current: ReadonlyArray<GlanceItem>,
  room: number
): Card => {
  const statements = kept.filter(isOf("absent"))
  return {
    items: fitting(current, room),
    active,
    current: current.length,
    all: kept.length - statements.length,
    hasPast: kept.some(isOf("other", "supplied")),
    statements: linesOf(statements, newestFirst)
  }
}

/** A line for each item. Items that say the same share the line of the newest one. */
const linesOf = (kept: ReadonlyArray<KeptItem>, order: Order): ReadonlyArray<GlanceItem> => {
  const sorted = kept.toSorted(order)
  return [...Map.groupBy(sorted, ({ key, summary }) => summary.sameAs ?? key).values()].map(lineOf)
}

const lineOf = (same: ReadonlyArray<KeptItem>): GlanceItem => {
  const { key, summary: { entry, flags, status, title, value, when } } = same[0]!
  return {
    key,
    title: withoutKinds(title),
    detail: value === null ? null : withoutKinds(value),
    // A problem that was recorded twice has been there since its first onset.
    date: when?.label === "Onset"
      ? same.findLast(({ summary }) => summary.when?.label === "Onset")!.summary.when
      : when,
    hasStatus: entry.standing !== "unknown",
    entries: same.length,
    flags: entry.standing === "waiting" && status !== null && status !== "Active" ? [status, ...flags] : flags
  }
}
