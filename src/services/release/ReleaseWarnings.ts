import { type Standing, standings, standingTags, warningWords } from "../../domain/Completeness.ts"
import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import { isIncomplete } from "../../domain/SyncState.ts"
import type { Block } from "../pdf/Lines.ts"
import { dayOf } from "../platform/Instants.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

type Held = SignedAuthorization["record"][number]

export const standingOf = ({ lastFetch, state }: Held): Exclude<Standing, "none"> => {
  if (state === "unknown") return "missing"
  if (state === "partial") return "incomplete"
  if (state === "stale") return "old"
  return isIncomplete(lastFetch) ? "late" : "current"
}

/** The state of several types that were chosen, in the words of the portal's tags. */
export const standingWords = (held: ReadonlyArray<Held>): string => {
  const worst = worstOf(held)
  const words = standingTags[standingOf(worst)]
  const at = worst.lastCompleteAt ?? worst.lastFetchAt
  return at === null || standingOf(worst) === "missing" ? words : `${words}, as of ${dayOf(at)}`
}

export const worstOf = (held: ReadonlyArray<Held>): Held =>
  held.reduce((worst, one) => rankOf(one) > rankOf(worst) ? one : worst)

const rankOf = (held: Held) => standings.indexOf(standingOf(held))

const own: Readonly<Record<string, string>> = {
  Condition: "Problems",
  MedicationRequest: "Medications",
  Observation: "Results and vital signs"
}

const sentenceOf = (held: Held): string =>
  warningWords(standingOf(held), held.lastCompleteAt === null ? null : dayOf(held.lastCompleteAt))

const namesOf = (types: ReadonlyArray<string>) =>
  new Intl.ListFormat("en-US", { type: "conjunction" }).format(
    types.map((type, index) => {
      const name = own[type] ?? wordsFor(type)
      return index === 0 ? name : name.charAt(0).toLowerCase() + name.slice(1)
    })
  )

const ofAnother = "This record holds another name or birth date than the authorization. Make sure whose record it is."

/** What a reader must know before anything else, worst first, in the words of the portal (contract, part 5). */
export const warningsOf = (record: ReadonlyArray<Held>, isOfAnother: boolean): ReadonlyArray<Block> => {
  const told = record.filter((held) => standingOf(held) !== "current").toSorted((a, b) => rankOf(b) - rankOf(a))
  return [
    ...isOfAnother ? [ofAnother] : [],
    ...[...Map.groupBy(told, sentenceOf)].map(([sentence, held]) =>
      `${namesOf(held.map(({ resourceType }) => resourceType))} ${sentence}`
    )
  ].map((text) => ({ kind: "warning", text }))
}
