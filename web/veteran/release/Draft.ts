import type { DocumentId } from "../../../src/domain/Id.ts"
import type { AuthorizationRequest, PreviewRequest } from "../../../src/domain/Release.ts"
import { statementsVersion } from "../../../src/domain/ReleaseStatements.ts"

type PurposeCode = AuthorizationRequest["purpose"]["code"]

/** A protected part that was turned on, and when: the release tells both. */
export type AcceptedCategory = NonNullable<AuthorizationRequest["sensitiveCategories"]>[number]

/** The end of a release: after a number of days, with a day of the calendar, or with an event. */
export type ReleaseUntil =
  | { readonly is: "days"; readonly days: number }
  | { readonly is: "day"; readonly day: string }
  | { readonly is: "event"; readonly event: string }

/** A release that is not signed yet. A text that is not given is empty. */
export interface ReleaseDraft {
  /** It is undefined until the record has told it, or the veteran has typed it. */
  readonly veteran: AuthorizationRequest["veteran"] | undefined
  readonly recipient: Readonly<Record<"name" | "organization" | "title" | "email" | "npi", string>>
  readonly purpose: { readonly code: PurposeCode | undefined; readonly text: string }
  /** Null means every kind that is here. */
  readonly kinds: ReadonlyArray<string> | null
  readonly dateFrom: string
  readonly dateTo: string
  readonly documents: ReadonlyArray<DocumentId>
  readonly categories: ReadonlyArray<AcceptedCategory>
  readonly until: ReleaseUntil
}

export const newRelease: ReleaseDraft = {
  veteran: undefined,
  recipient: { name: "", organization: "", title: "", email: "", npi: "" },
  purpose: { code: undefined, text: "" },
  kinds: null,
  dateFrom: "",
  dateTo: "",
  documents: [],
  categories: [],
  until: { is: "days", days: 30 }
}

const disclosingParty = { name: "Veteran Records Sharing Service" }

/** A pasted text may have breaks and tabs, which a line of the release may not. */
const lineOf = (text: string) => text.replaceAll(/[\n\r\t]/g, " ").trim()

const given = (text: string) => text === "" ? {} : { text }

/** What the service is asked to show or to sign, without what only the signature gives. */
export const requestOf = (
  draft: ReleaseDraft,
  { all, now, replaces }: {
    /** The kinds that "everything" stands for. */
    readonly all: ReadonlyArray<string>
    readonly now: Date
    readonly replaces: DocumentId | undefined
  }
): PreviewRequest => {
  const { categories, dateFrom, dateTo, documents, kinds, purpose, recipient, until, veteran } = draft
  const [name, organization, title, email] = [recipient.name, recipient.organization, recipient.title, recipient.email]
    .map(lineOf) as [string, string, string, string]
  const npi = npiOf(recipient.npi)
  return {
    veteran: { fullName: lineOf(veteran?.fullName ?? ""), dateOfBirth: veteran?.dateOfBirth ?? "" },
    information: {
      resourceTypes: kinds ?? all,
      ...dateFrom === "" ? {} : { dateFrom },
      ...dateTo === "" ? {} : { dateTo },
      documentIds: documents
    },
    disclosingParty,
    recipient: {
      name,
      ...organization === "" ? {} : { organization },
      ...title === "" ? {} : { title },
      email,
      ...npi === "" ? {} : { npi }
    },
    purpose: { code: purpose.code ?? "other", ...given(purpose.text.trim()) },
    expiration: until.is === "event" ? { event: until.event.trim() } : { date: endDay(until, now) },
    statementsVersion,
    sensitiveCategories: categories,
    ...replaces === undefined ? {} : { supersedes: replaces }
  }
}

/** An identifier as the service takes it. */
export const npiOf = (text: string) => text.replaceAll(/[\s-]/g, "")

/** The service counts the days of a release in UTC. */
const utcDay = (date: Date) => date.toISOString().slice(0, 10)

/** The last day of a release that has one. */
export const endDay = (until: Exclude<ReleaseUntil, { is: "event" }>, now: Date) =>
  until.is === "day" ? until.day : utcDay(new Date(now.getTime() + until.days * 86_400_000))

/** The last moment of a release: of its last day, or of the 12 months that an event may take. */
export const lastMoment = (until: ReleaseUntil, now: Date) =>
  until.is === "event" ? inTwelveMonths(now) : new Date(Date.parse(endDay(until, now)) + 86_400_000 - 1)

/** The first and the last day that may be chosen. */
export const endRange = (now: Date) => ({ min: utcDay(now), max: utcDay(inTwelveMonths(now)) })

const inTwelveMonths = (now: Date) => {
  const end = new Date(now)
  end.setUTCFullYear(now.getUTCFullYear() + 1)
  // The 29th of February has no day like it a year later.
  if (end.getUTCMonth() !== now.getUTCMonth()) end.setUTCDate(0)
  return end
}
