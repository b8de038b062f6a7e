import {
  gapsOf,
  isRecent,
  namesOf,
  type Standing,
  standingOf,
  standings,
  warningWords
} from "../../../../src/domain/Completeness.ts"
import { momentDay } from "../ClinicalDays.ts"
import type { About } from "../Messages.ts"
import { recordWords } from "../RecordLanguage.ts"

export interface Stand {
  readonly is: Standing
  /** The last moment of which the record is known to be complete. */
  readonly asOf: string | null
  /** True if the record has only the items of some dates. */
  readonly isOfRange: boolean
}

/** What is known about how complete a record is. */
export type States = Pick<About, "alerts" | "isOfRange" | "isRelease" | "sections">

export const standOf = (about: States, resourceType: string): Stand => {
  const section = about.sections.find((one) => one.resourceType === resourceType)
  // A type without items was never complete, but its last fetch may have found that there is none.
  const emptyAt = section?.lastFetch === "empty" ? section.lastFetchAt : null
  return { is: standingOf(about, resourceType), asOf: section?.lastCompleteAt ?? emptyAt, isOfRange: about.isOfRange }
}

/**
 * The worst state of several types, as of the oldest date among those that are equally bad. A shared record must have
 * the first type, and a release any of them; the others count only if it has them.
 */
export const worstOf = (about: States, types: readonly [string, ...Array<string>]): Stand => {
  const held = types.filter((type) => about.sections.some(({ resourceType }) => resourceType === type))
  const [first, ...others] = about.isRelease === true && held.length > 0 ? held : [types[0], ...held]
  return others.map((type) => standOf(about, type))
    .reduce((worst, one) => isWorse(one, worst) ? one : worst, standOf(about, first!))
}

const isWorse = (one: Stand, other: Stand) => {
  const byRank = rankOf(one) - rankOf(other)
  return byRank > 0 || (byRank === 0 && (one.asOf ?? "") <= (other.asOf ?? ""))
}

/** A type without items is as good as one with items. */
const rankOf = ({ is }: Stand) => standings.indexOf(is === "none" ? "current" : is)

export type Tag = readonly [words: string, kind: "good" | "warn" | "bad" | "off"]

export const tagOf = ({ asOf, is, isOfRange }: Stand, now = new Date()): Tag => {
  const { asOf: ofDay, someDates, standings } = recordWords()
  const words = standings[is]
  switch (is) {
    case "current":
    case "none":
      if (isOfRange) return [someDates, "off"]
      return asOf === null || isRecent(asOf, now)
        ? [words, "good"]
        : [ofDay(momentDay(asOf)), "off"]
    case "late":
    case "old":
    case "incomplete":
      return [words, "warn"]
    case "outside":
      return [words, "off"]
    case "missing":
      return [words, "bad"]
  }
}

const sentenceOf = ({ asOf, is }: Stand): string => warningWords(is, asOf === null ? null : momentDay(asOf))

export interface Warning {
  readonly names: string
  readonly text: string
}

/** What is not up to date, worst first. Types in the same state share one sentence. */
export const warningsOf = (about: About): ReadonlyArray<Warning> => {
  const stands = gapsOf(about).map(({ resourceType }) => ({ type: resourceType, stand: standOf(about, resourceType) }))
    .toSorted((a, b) => rankOf(b.stand) - rankOf(a.stand))
  return [...Map.groupBy(stands, ({ stand }) => sentenceOf(stand))].map(([text, of]) => ({
    names: namesOf(of.map(({ type }) => type)),
    text
  }))
}

/**
 * The words of a card without items: either there are none, or nothing is known. `past` is true if past items exist,
 * and `hasOthers` if the card shows something else, such as the patient's own words.
 */
export const emptyWords = (
  { asOf, is, isOfRange }: Stand,
  name: string,
  past = false,
  hasOthers = false
): string => {
  const lower = name.toLowerCase()
  if (is === "missing" || is === "outside") return `${name} ${warningWords(is, null)}`
  if (is === "incomplete") {
    return `No ${past ? "active " : ""}${lower} were loaded. Do not read this as “none.” Ask the patient.`
  }
  const date = asOf === null ? "" : ` as of ${momentDay(asOf)}`
  if (isOfRange) {
    return `No ${past ? "active " : ""}${lower} of these dates${date}. This is not the same as “none.” Ask the patient.`
  }
  const none = hasOthers || past
    ? `No ${hasOthers ? "other " : ""}${past ? "active " : ""}${lower} in this record`
    : "None in this record"
  if (is === "current" || is === "none") return `${none}${date}.`
  return `${none}${date}. Ask the patient${asOf === null ? "" : " about changes since then"}.`
}
