import { inWords } from "../../../src/domain/ResourceTypeWords.ts"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { Sharing, SharingKind, Stopped } from "../../../src/domain/Sharing.ts"
import { counted, daysFrom } from "../Moments.ts"

/** Short names of the parts that 38 U.S.C. 7332 protects. */
export const protectedNames: Readonly<Record<SensitiveCategory, string>> = {
  drug_abuse: "drug use",
  alcohol_abuse: "alcohol use",
  hiv: "HIV",
  sickle_cell: "sickle cell"
}

/** "drug use, HIV", in the order of every list of categories. */
export const protectedWords = (categories: ReadonlyArray<string>) =>
  SensitiveCategory.literals.filter((category) => categories.includes(category)).map((category) =>
    protectedNames[category]
  ).join(", ")

/** Plain names of kinds in a sentence: "Lab results, medications and vital signs". */
export const kindWords = (types: ReadonlyArray<string>) => {
  const names = inWords(types)
  return names.slice(0, 1) + names.slice(1).toLowerCase()
}

type What = Pick<Sharing["what"], "resourceTypes" | "includeSelfReported" | "includeDocuments">

/** "Everything, and my own words". */
export const readsWords = ({ includeDocuments, includeSelfReported, resourceTypes }: What) => {
  const parts = [
    ...(resourceTypes === null ? ["Everything"] : resourceTypes.length > 0 ? [kindWords(resourceTypes)] : []),
    ...(includeSelfReported ? ["my own words"] : []),
    ...(includeDocuments ? ["my documents"] : [])
  ]
  const [last, ...others] = parts.toReversed()
  if (last === undefined) return "Nothing"
  return others.length === 0 ? last : `${others.toReversed().join(", ")}, and ${last}`
}

/** Where the holder reads. */
export const placeWords: Readonly<Record<SharingKind, string>> = {
  provider: "in our portal",
  app: "an app you let in",
  link: "a signed release",
  release: "a signed release"
}

/** How many days are left, or undefined if no end is known. */
export const leftWords = (until: Date | null, now: Date) => {
  if (until === null) return undefined
  const days = daysFrom(now, until)
  return days <= 0 ? "Ends today" : `${counted(days, "day")} left`
}

/** A link is short by its nature. Anything else that ends within three days may need to be prolonged. */
export const endsSoon = ({ kind, until }: Pick<Sharing, "kind" | "until">, now: Date) =>
  kind !== "link" && until !== null && daysFrom(now, until) <= 3

/** "1 provider, 1 app, 1 link, 1 release". Kinds without any are left out. */
export const stoppedWords = ({ app, link, provider, release }: Stopped) =>
  [
    [provider, "provider"] as const,
    [app, "app"] as const,
    [link, "link"] as const,
    [release, "release"] as const
  ].filter(([count]) => count > 0).map(([count, name]) => counted(count, name)).join(", ")
