import { Schema } from "effect"

/** Such text is neither blank nor longer than `maximum` characters, and PostgreSQL and UTF-8 can hold it. */
export const Text = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter((text: string) => text.trim() !== "" || "Expected text that is not blank"),
    Schema.makeFilter((text: string) => isStorable(text) || "Expected text without NUL and lone surrogates")
  )

export const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0")

/** The lengths are RFC 5321's; the form is the one of HTML's e-mail input, which has no room for header injection. */
export const EmailAddress = Schema.String.check(
  Schema.isMaxLength(254),
  Schema.isPattern(
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i,
    { message: "Expected an e-mail address" }
  )
)

/** On the wire it is ISO-8601 in UTC. */
export const Instant = Schema.DateFromString

/** The date exists, is written `YYYY-MM-DD`, and has no year 0, as in PostgreSQL. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true ||
    "Expected a calendar date (YYYY-MM-DD)"
  )
)

/** `Date` by itself would read much else by the server's time zone, and the 31st of February as the 3rd of March. */
const instantText = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** A request may tell an instant with an offset; it is kept in UTC. */
export const SentInstant = Schema.String.check(
  Schema.makeFilter((text: string) =>
    Schema.is(CalendarDate)(instantText.exec(text)?.[1]) || "Expected an ISO-8601 instant in UTC"
  )
).pipe(Schema.decodeTo(Instant))
