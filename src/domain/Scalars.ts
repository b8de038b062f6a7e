import { Schema } from "effect"

/** Text that PostgreSQL and UTF-8 can hold (no NUL, no lone surrogate), neither blank nor longer than `maximum` characters. */
export const Text = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter((text: string) => text.trim() !== "" || "Expected text that is not blank"),
    Schema.makeFilter((text: string) => isStorable(text) || "Expected text without NUL and lone surrogates")
  )

export const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0")

/** RFC 5321 lengths; the form that HTML's e-mail input accepts, which has no room for header injection. */
export const EmailAddress = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i,
    { message: "Expected an e-mail address" }
  )
)

/** An ISO-8601 instant in UTC on the wire. */
export const Instant = Schema.DateFromString

/** A calendar date that exists, `YYYY-MM-DD`; PostgreSQL has no year 0. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true ||
    "Expected a calendar date (YYYY-MM-DD)"
  )
)

/** `Date` would read much else, by the server's own time zone, and the 31st of February as the 3rd of March. */
const instantText = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** An instant in a request. */
export const SentInstant = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Schema.is(CalendarDate)(instantText.exec(text)?.[1]) || "Expected an ISO-8601 instant in UTC"
  )
).pipe(Schema.decodeTo(Instant))
