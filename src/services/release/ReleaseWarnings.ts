import { rankOf, standingOf, warningTexts } from "../../clinical/SignedWarnings.ts"
import { isRecent, standingTags } from "../../domain/Completeness.ts"
import type { Block } from "../pdf/Lines.ts"
import { dayOf } from "../platform/Instants.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

type Held = SignedAuthorization["record"][number]

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

export const warningsOf = (record: ReadonlyArray<Held>, isOfAnother: boolean): ReadonlyArray<Block> =>
  warningTexts(record, isOfAnother).map((text) => ({ kind: "warning", text }))
