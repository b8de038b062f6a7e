import { ofAnotherWords } from "../../clinical/SamePerson.ts"
import { isRecent, namesOf, type Standing, standings, standingTags, warningWords } from "../../domain/Completeness.ts"
import { isIncomplete } from "../../domain/SyncState.ts"
import type { Block } from "../pdf/Lines.ts"
import { dayOf } from "../platform/Instants.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

type Held = SignedAuthorization["record"][number]

export const standingOf = ({ lastFetch, state }: Held): Exclude<Standing, "none" | "outside"> => {
  if (state === "unknown") return "missing"
  if (state === "partial") return "incomplete"
  if (state === "stale") return "old"
  return isIncomplete(lastFetch) ? "late" : "current"
}

/** The state of several types that were chosen, in the words of the portal's tags on the day of signing. */
export const standingWords = (held: ReadonlyArray<Held>, signedAt: string): string => {
  const worst = worstOf(held)
  const standing = standingOf(worst)
  const at = atOf(worst)
  if (at === null || standing === "missing") return standingTags[standing]
  if (standing === "current" && !isRecent(at, new Date(signedAt))) return `As of ${dayOf(at)}`
  return `${standingTags[standing]}, as of ${dayOf(at)}`
}

/** The worst of several types, and the oldest of those that are equally bad. */
export const worstOf = (held: ReadonlyArray<Held>): Held =>
  held.reduce((worst, one) => isWorse(one, worst) ? one : worst)

const isWorse = (one: Held, other: Held) => {
  const byRank = rankOf(one) - rankOf(other)
  return byRank > 0 || (byRank === 0 && (atOf(one) ?? "") < (atOf(other) ?? ""))
}

const atOf = ({ lastCompleteAt, lastFetchAt }: Held) => lastCompleteAt ?? lastFetchAt

const rankOf = (held: Held) => standings.indexOf(standingOf(held))

const sentenceOf = (held: Held): string =>
  warningWords(standingOf(held), held.lastCompleteAt === null ? null : dayOf(held.lastCompleteAt))

/** What a reader must know before anything else, worst first, in the words of the portal (contract, part 5). */
export const warningsOf = (record: ReadonlyArray<Held>, isOfAnother: boolean): ReadonlyArray<Block> => {
  const told = record.filter((held) => standingOf(held) !== "current").toSorted((a, b) => rankOf(b) - rankOf(a))
  return [
    ...isOfAnother ? [ofAnotherWords] : [],
    ...[...Map.groupBy(told, sentenceOf)].map(([sentence, held]) =>
      `${namesOf(held.map(({ resourceType }) => resourceType))} ${sentence}`
    )
  ].map((text) => ({ kind: "warning", text }))
}
