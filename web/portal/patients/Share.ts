import { lowerTypeName } from "../../../src/domain/Completeness.ts"
import type { ListedPerson, PatientPage } from "../../../src/domain/Patient.ts"
import { dayWords } from "../../shared/Dates.ts"
import { recordedDay } from "../../shared/record/ClinicalDays.ts"
import { folded } from "../../shared/record/Folded.ts"

type Listed = (typeof PatientPage.Type)["items"][number]

/** A veteran who shares with the provider, by one or several grants. */
export interface Share {
  readonly veteranId: string
  readonly callSign: string
  readonly person: ListedPerson | null
  readonly since: Date
  readonly until: Date
  readonly purposes: ReadonlyArray<string>
  /** What the record's page warns of: what is not loaded, and what is not complete. */
  readonly warnings: ReadonlyArray<string>
  readonly lastLookedAt: Date | null
  readonly isNew: boolean
  /** True if another patient has the same call sign, and this one's record gives no name or birth date. */
  readonly isUnclear: boolean
}

/** The list has an item for each grant. Here each veteran appears once, sorted by name. */
export const sharesOf = (listed: ReadonlyArray<Listed>): ReadonlyArray<Share> => {
  const veterans = [...Map.groupBy(listed, ({ veteranId }) => veteranId).values()]
  const named = Map.groupBy(veterans, ([first]) => folded(first!.callSign))
  return veterans.map((grants): Share => {
    const { alertCount, callSign, changedSince, lastLookedAt, notLoaded, person, veteranId } = grants[0]!
    return {
      veteranId,
      callSign,
      person,
      since: new Date(Math.min(...grants.map(({ grant }) => grant.grantedAt.getTime()))),
      until: new Date(Math.max(...grants.map(({ grant }) => grant.expiresAt.getTime()))),
      purposes: [...new Set(grants.map(({ grant }) => grant.purpose))],
      warnings: [...notLoadedWords(notLoaded), ...notCompleteWords(alertCount)],
      lastLookedAt,
      isNew: changedSince,
      isUnclear: person === null && named.get(folded(callSign))!.length > 1
    }
  }).sort((a, b) => order.compare(nameOf(a), nameOf(b)) || a.veteranId.localeCompare(b.veteranId))
}

/** The name in the record, or else the call sign. */
export const nameOf = ({ callSign, person }: Share) => person?.name ?? callSign

const order = new Intl.Collator("en-US", { numeric: true })

/** The most names in a tag. */
const mostNames = 3

const notLoadedWords = (types: ReadonlyArray<string>) => {
  if (types.length === 0) return []
  const names = types.map(lowerTypeName)
  const more = names.length - mostNames
  return [`Not loaded: ${names.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`]
}

const notCompleteWords = (count: number) => count === 0 ? [] : [`${count} part${count === 1 ? "" : "s"} not complete`]

const day = 24 * 3_600_000

/** Returns words such as "3 days left" if at most 6 days are left. */
export const endingSoon = ({ until }: Share, now: Date): string | undefined => {
  const days = Math.ceil((until.getTime() - now.getTime()) / day)
  if (days >= 7) return undefined
  return until.toDateString() === now.toDateString() ? "Ends today" : `${days} day${days === 1 ? "" : "s"} left`
}

/**
 * What the line says of a patient besides the name. Two identifiers tell patients apart: name and birth date, or else
 * the call sign and since when it is shared.
 */
export const identityOf = ({ callSign, isUnclear, person, since }: Share): ReadonlyArray<string> =>
  person === null
    ? [noIdentity, ...(isUnclear ? [`Shared since ${dayWords(since)}`] : [])]
    : [
      person.birthDate === null ? "No birth date in this record" : `Born ${recordedDay(person.birthDate)}`,
      person.name === null ? "No name in this record" : `Call sign ${callSign}`
    ]

/** Claims nothing about the record: the list may leave out what the record has. */
const noIdentity = "No name or birth date in this list. Open the record."

/** True if a patient's call sign, name or birth date has every word of the search. Case and accents do not matter. */
export const isFound = (share: Share, search: string) => {
  const { callSign, person } = share
  const born = person?.birthDate ?? ""
  const text = folded([callSign, person?.name ?? "", born, recordedDay(born)].join("\n"))
  return folded(search).split(/\s+/).every((word) => text.includes(word))
}
