import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"
import { typesWords } from "../../shared/language/Names.ts"
import { daysFrom, lastBefore } from "../Moments.ts"
import { sharingWords } from "./Words.ts"

/** The short name of a part that 38 U.S.C. 7332 protects, in the page's language. */
export const protectedName = (category: SensitiveCategory) => sharingWords().protectedNames[category]

/** "drug use, HIV", in the order of every list of categories. */
export const protectedWords = (categories: ReadonlyArray<string>) =>
  SensitiveCategory.literals.filter((category) => categories.includes(category)).map(protectedName).join(", ")

/** Plain names of kinds in a sentence: "Lab results, medications and vital signs". */
export const kindWords = (types: ReadonlyArray<string>) => {
  const names = typesWords(types)
  return names.slice(0, 1) + names.slice(1).toLowerCase()
}

type What = Pick<Sharing["what"], "resourceTypes" | "includeSelfReported" | "includeDocuments">

/** "Everything, and my own words". */
export const readsWords = ({ includeDocuments, includeSelfReported, resourceTypes }: What) => {
  const { and, everything, myDocuments, myOwnWords, nothing } = sharingWords()
  const parts = [
    ...(resourceTypes === null ? [everything] : resourceTypes.length > 0 ? [kindWords(resourceTypes)] : []),
    ...(includeSelfReported ? [myOwnWords] : []),
    ...(includeDocuments ? [myDocuments] : [])
  ]
  const [last, ...others] = parts.toReversed()
  if (last === undefined) return nothing
  return others.length === 0 ? last : and(others.toReversed().join(", "), last)
}

/** How many days are left, or undefined if no end is known. */
export const leftWords = (until: Date | null, now: Date) => {
  if (until === null) return undefined
  const days = daysFrom(now, lastBefore(until))
  const { daysLeft, endsToday } = sharingWords()
  return days <= 0 ? endsToday : daysLeft(days)
}

/** A link is short by its nature. Anything else that ends within three days may need to be prolonged. */
export const endsSoon = ({ kind, until }: Pick<Sharing, "kind" | "until">, now: Date) =>
  kind !== "link" && until !== null && daysFrom(now, lastBefore(until)) <= 3
