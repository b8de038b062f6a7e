import { namesOf, type Standing, standings, warningWords } from "../domain/Completeness.ts"
import { type FetchStatus, isIncomplete, type SyncState } from "../domain/SyncState.ts"
import { ofAnotherWords } from "./SamePerson.ts"

/** What an authorization says of a released type: its state at signing. Instants are ISO 8601 in UTC. */
export interface SignedState {
  readonly resourceType: string
  readonly state: SyncState
  readonly lastFetch: FetchStatus | null
  readonly lastCompleteAt: string | null
}

export const standingOf = (
  { lastFetch, state }: Pick<SignedState, "lastFetch" | "state">
): Exclude<Standing, "none" | "outside"> => {
  if (state === "unknown") return "missing"
  if (state === "partial") return "incomplete"
  if (state === "stale") return "old"
  return isIncomplete(lastFetch) ? "late" : "current"
}

export const rankOf = (held: SignedState): number => standings.indexOf(standingOf(held))

const sentenceOf = (held: SignedState): string =>
  warningWords(standingOf(held), held.lastCompleteAt?.slice(0, 10) ?? null)

/** What a reader must know before anything else, worst first, in the words of the portal (contract, part 5). */
export const warningTexts = (record: ReadonlyArray<SignedState>, isOfAnother: boolean): ReadonlyArray<string> => {
  const told = record.filter((held) => standingOf(held) !== "current").toSorted((a, b) => rankOf(b) - rankOf(a))
  return [
    ...isOfAnother ? [ofAnotherWords] : [],
    ...[...Map.groupBy(told, sentenceOf)].map(([sentence, held]) =>
      `${namesOf(held.map(({ resourceType }) => resourceType))} ${sentence}`
    )
  ]
}
