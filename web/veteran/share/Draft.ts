import type { ConsentGrant } from "../../../src/domain/ConsentGrant.ts"
import type { ProviderId } from "../../../src/domain/Id.ts"
import { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { dayEnd, dayText } from "../Moments.ts"

/** The provider who shall read. `npi` is null if it is not known. */
export interface Recipient {
  readonly id: ProviderId
  readonly displayName: string
  readonly organization: string
  readonly npi: string | null
}

/** The ways in which a veteran finds a provider. */
export type ProviderLookup = "invitation" | "email" | "npi"

/** The end of a share: after a number of days, at the end of a day of the calendar, or as it was. */
export type Until =
  | { readonly is: "days"; readonly days: number }
  | { readonly is: "day"; readonly day: string }
  | { readonly is: "moment"; readonly at: Date }

/** A share that is not made yet. */
export interface Draft {
  readonly recipient: Recipient | undefined
  /** How the recipient was found, or `scan` if the clinic's code came with the address. */
  readonly way: ProviderLookup | "scan" | undefined
  /** Null means every kind, also those that come later. */
  readonly kinds: ReadonlyArray<string> | null
  readonly ownWords: boolean
  readonly documents: boolean
  readonly categories: ReadonlyArray<SensitiveCategory>
  readonly until: Until
  readonly purpose: string
}

export const treatment = "treatment"

export const dayChoices = [1, 7, 30, 90] as const

export const newDraft: Draft = {
  recipient: undefined,
  way: undefined,
  kinds: null,
  ownWords: false,
  documents: false,
  categories: [],
  until: { is: "days", days: 30 },
  purpose: treatment
}

const isCategory = (text: string): text is SensitiveCategory =>
  SensitiveCategory.literals.some((category) => category === text)

/** A draft with what a grant has, to be changed or prolonged. Returns undefined if the grant is no provider's. */
export const draftOf = (grant: ConsentGrant): Draft | undefined => {
  const { expiresAt, provider, providerId } = grant
  if (provider === null || providerId === null) return undefined
  return {
    recipient: { id: providerId, ...provider, npi: null },
    way: undefined,
    kinds: grant.resourceTypes,
    ownWords: grant.includeSelfReported,
    documents: grant.includeDocuments,
    categories: grant.sensitiveCategories.filter(isCategory),
    until: { is: "moment", at: expiresAt },
    purpose: grant.purpose
  }
}

export const endOf = (until: Until, now: Date) =>
  until.is === "days"
    ? new Date(now.getTime() + until.days * 86_400_000)
    : until.is === "day"
    ? dayEnd(until.day)
    : until.at

/** The first and the last day that may be chosen: today, and a year from now. */
export const dayRange = (now: Date) => ({
  min: dayText(now),
  max: dayText(new Date(now.getFullYear() + 1, now.getMonth(), now.getDate()))
})

/** False if the day is none that may be chosen. */
export const isUntil = (until: Until, now: Date) => {
  if (until.is !== "day") return true
  const { max, min } = dayRange(now)
  return until.day >= min && until.day <= max
}
