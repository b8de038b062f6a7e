import { Schema } from "effect"
import { isBlank } from "../../../src/domain/Blank.ts"
import { EmailAddress } from "../../../src/domain/Scalars.ts"
import type { Sharing } from "../../../src/domain/Sharing.ts"

/** A signed release in force, as the sharing list tells it. */
export type Release = Sharing & { readonly kind: "release"; readonly until: Date }

export const isRelease = (sharing: Sharing): sharing is Release => sharing.kind === "release" && sharing.until !== null

/** How the recipient gets the link. */
export type LinkHandover = "mail" | "desk" | "myself"

/** A link that is not made yet. */
export interface LinkDraft {
  readonly name: string
  readonly email: string
  /** How many days the link works, or `release` if it ends with its release. */
  readonly until: number | "release"
  /** Whether apps that read SMART Health Links can open it too. */
  readonly forApps: boolean
}

/** The longest name that a link may have. A release may name somebody by far more. */
export const longestName = 200

/** The begin of a name, without a letter or an emoji that is cut in two. */
export const shortName = (name: string) => {
  if (name.length <= longestName) return name
  let short = ""
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, 4 * longestName))) {
    if (short.length + segment.length > longestName) break
    short += segment
  }
  // One letter may have hundreds of marks.
  return short === "" ? name.slice(0, longestName).toWellFormed() : short
}

const day = 86_400_000

const choices = [1, 3, 7, 30] as const

/** The lengths from which the veteran chooses: none goes beyond the release's end, which takes the place of those. */
export const untilChoices = ({ until }: Pick<Release, "until">, now: Date): ReadonlyArray<LinkDraft["until"]> => {
  const fitting = choices.filter((days) => now.getTime() + days * day <= until.getTime())
  return fitting.length === choices.length ? fitting : [...fitting, "release"]
}

/** Three days, or less if the release ends before. */
const usual = (release: Release, now: Date) => {
  const fitting = untilChoices(release, now)
  return fitting.includes(3) ? 3 : fitting.at(-1)!
}

/** The link goes to whom the release names, unless the veteran changes that. */
export const draftFor = (release: Release, now: Date): LinkDraft => ({
  name: shortName(release.who.name),
  email: release.who.email ?? "",
  until: usual(release, now),
  forApps: false
})

/** The service ends a link with its release at the latest. */
export const hoursOf = (until: LinkDraft["until"], release: Pick<Release, "until">, now: Date) => {
  const hours = until === "release" ? Math.ceil((release.until.getTime() - now.getTime()) / 3_600_000) : until * 24
  return Math.min(720, Math.max(1, hours))
}

const isEmail = Schema.is(EmailAddress)

/** What is wrong with a part of the draft. */
export interface DraftProblems {
  readonly name?: "blank" | "long"
  readonly email?: "wrong"
}

export const problemsOf = ({ email, name }: LinkDraft): DraftProblems => ({
  ...(isBlank(name) ? { name: "blank" } : name.trim().length > longestName ? { name: "long" } : {}),
  ...(isEmail(email.trim()) ? {} : { email: "wrong" })
})

/** Addresses differ if more than their letters' case does, as the service compares them. */
export const isOtherAddress = ({ email }: LinkDraft, { who }: Pick<Release, "who">) =>
  email.trim().toLowerCase() !== (who.email ?? "").toLowerCase()
