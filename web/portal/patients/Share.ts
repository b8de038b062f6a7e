import type { PatientPage } from "../../../src/domain/Patient.ts"

type Listed = (typeof PatientPage.Type)["items"][number]

/** A veteran who shares with the provider, by one or several grants. */
export interface Share {
  readonly veteranId: string
  readonly callSign: string
  readonly until: Date
  readonly purposes: ReadonlyArray<string>
  /** The words about warnings, undefined if there are none. */
  readonly warnings: string | undefined
}

/** The list has an item for each grant. Here each veteran appears once, sorted by name. */
export const sharesOf = (listed: ReadonlyArray<Listed>): ReadonlyArray<Share> =>
  [...Map.groupBy(listed, ({ veteranId }) => veteranId).values()].map((grants): Share => ({
    veteranId: grants[0]!.veteranId,
    callSign: grants[0]!.callSign,
    until: new Date(Math.max(...grants.map(({ grant }) => grant.expiresAt.getTime()))),
    purposes: [...new Set(grants.map(({ grant }) => grant.purpose))],
    warnings: warningsOf(grants.map(({ alertCount }) => alertCount).filter((count) => count > 0))
  })).sort((a, b) => order.compare(a.callSign, b.callSign) || a.veteranId.localeCompare(b.veteranId))

const order = new Intl.Collator("en-US", { numeric: true })

/**
 * `counts` has the number of incomplete parts for each grant. The numbers cannot be added, because two grants may cover
 * the same part.
 */
const warningsOf = (counts: ReadonlyArray<number>) =>
  counts.length === 0
    ? undefined
    : counts.length > 1
    ? "Some parts not complete"
    : `${counts[0]} part${counts[0] === 1 ? "" : "s"} not complete`

const day = 24 * 3_600_000

/** Returns words such as "3 days left" if at most 6 days are left. */
export const endingSoon = ({ until }: Share, now: Date): string | undefined => {
  const days = Math.ceil((until.getTime() - now.getTime()) / day)
  if (days >= 7) return undefined
  return until.toDateString() === now.toDateString() ? "Ends today" : `${days} day${days === 1 ? "" : "s"} left`
}

/** True if the call sign contains every word of the search. Case and accents do not matter. */
export const isFound = ({ callSign }: Share, search: string) => {
  const plain = plainOf(callSign)
  return plainOf(search).split(/\s+/).every((word) => plain.includes(word))
}

const plainOf = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()
