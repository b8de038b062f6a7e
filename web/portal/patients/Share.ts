import { lowerTypeName } from "../../../src/domain/Completeness.ts"
import type { ListedPerson, PatientPage } from "../../../src/domain/Patient.ts"
import { dayWords, timeWords } from "../../shared/Dates.ts"
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
  /** What tells this patient from others whose name and birth date are not known or the same. */
  readonly mark: string | null
}

/** The list has an item for each grant. Here each veteran appears once, sorted by name. */
export const sharesOf = (listed: ReadonlyArray<Listed>): ReadonlyArray<Share> => {
  const shares = [...Map.groupBy(listed, ({ veteranId }) => veteranId).values()].map((grants): Share => {
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
      mark: null
    }
  })
  return [...Map.groupBy(shares, ({ callSign }) => folded(callSign)).values()]
    .flatMap((named) => named.length === 1 ? named : toldApart(named))
    .sort((a, b) => order.compare(nameOf(a), nameOf(b)) || a.veteranId.localeCompare(b.veteranId))
}

/** Patients of one call sign. Those with a name and birth date that nobody else has need no mark. */
const toldApart = (named: ReadonlyArray<Share>) =>
  [...Map.groupBy(named, (share) => folded([nameOf(share), ...identityOf(share)].join("\n"))).values()].flatMap((
    alike
  ) => alike.length === 1 && alike[0]!.person !== null ? alike : marked(alike))

/** From the mark that says most to the one that always differs. */
const marks: ReadonlyArray<(share: Share) => string> = [
  ({ since }) => `Shared since ${dayWords(since)}`,
  ({ since }) => `Shared since ${timeWords(since)}`,
  ({ veteranId }) => `Record number ends in ${veteranId.slice(-8)}`
]

/** Marks each patient by the first of the marks that no other of them has. */
const marked = (alike: ReadonlyArray<Share>, [mark, ...finer] = marks): ReadonlyArray<Share> =>
  [...Map.groupBy(alike, mark!).values()].flatMap((same) =>
    same.length > 1 && finer.length > 0
      ? marked(same, finer)
      : same.map((share) => ({ ...share, mark: mark!(share) }))
  )

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
 * the call sign and the mark.
 */
export const identityOf = ({ callSign, mark, person }: Share): ReadonlyArray<string> => [
  ...(person === null ? [noIdentity] : [
    person.birthDate === null ? "No birth date in this record" : `Born ${recordedDay(person.birthDate)}`,
    person.name === null ? "No name in this record" : `Call sign ${callSign}`
  ]),
  ...(mark === null ? [] : [mark])
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
