import { Schema, SchemaTransformation } from "effect"

/** Text that PostgreSQL and UTF-8 can hold (no NUL, no lone surrogate), neither blank nor longer than `maximum` characters. */
export const Text = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter((text: string) => text.trim() !== "" || "Expected text that is not blank", {
      toJsonSchema: () => ({ pattern: "\\S" })
    }),
    Schema.makeFilter((text: string) => isStorable(text) || "Expected text without NUL and lone surrogates")
  )

export const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0")

/** An e-mail address that the service answers: it was checked when it was sent. */
export const AnsweredEmail = Schema.String.annotate({ format: "email" })

/** RFC 5321 lengths; the form that HTML's e-mail input accepts, which has no room for header injection. */
export const EmailAddress = AnsweredEmail.check(
  Schema.isMaxLength(254),
  Schema.isPattern(
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i,
    { message: "Expected an e-mail address" }
  )
)

/** How many there are, or how long it takes. What the service answers is never negative and fits 32 bits: said, not checked. */
export const Count = Schema.Number.check(
  Schema.isInt({ toJsonSchema: () => ({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1 }) })
)

export const Seconds = Count.annotate({ description: "Seconds" })

/** SHA-256 in hex. */
export const Sha256 = Schema.String.annotate({ description: "SHA-256 in hex" })

/** An ISO-8601 instant in UTC on the wire. */
export const Instant = Schema.String.annotate({ format: "date-time" })
  .pipe(Schema.decodeTo(Schema.Date, SchemaTransformation.dateFromString))

/** A calendar date that exists, `YYYY-MM-DD`; PostgreSQL has no year 0. */
export const CalendarDate = Schema.String.annotate({ format: "date" }).check(
  Schema.makeFilter((text: string) =>
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true ||
    "Expected a calendar date (YYYY-MM-DD)"
  )
)

/** `Date` would read much else, by the server's own time zone, and the 31st of February as the 3rd of March. */
const instantText = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** An instant in a request. */
export const SentInstant = Schema.String.annotate({ format: "date-time" }).check(
  Schema.makeFilter((text: string) =>
    Schema.is(CalendarDate)(instantText.exec(text)?.[1]) || "Expected an ISO-8601 instant in UTC"
  )
).pipe(Schema.decodeTo(Instant))

/** An instant for people, as "2026-11-21 17:05 UTC". */
export const minuteOf = (instant: Date | string) =>
  `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`
