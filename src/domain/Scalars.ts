import { Schema, SchemaTransformation } from "effect"
import { isBlank } from "./Blank.ts"

/** Text of at most `maximum` characters that PostgreSQL and UTF-8 can store. At least one is visible (`Blank.ts`). */
export const Text = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.makeFilter((text: string) => !isBlank(text) || "Expected text that is not blank", {
      toJsonSchema: () => ({ pattern: "\\S" })
    }),
    Schema.makeFilter((text: string) => isStorable(text) || "Expected text without NUL and lone surrogates")
  )

/** A body without members. `Schema.Struct({})` would accept any. */
export const NoMembers = Schema.Record(Schema.String, Schema.Never)

export const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0")

/** An e-mail address in a response. Its form was checked when a request sent it. */
export const AnsweredEmail = Schema.String.annotate({ format: "email" })

/**
 * Lengths follow RFC 5321. The form is that of HTML's e-mail input, but without `..`. An address has no line break, so
 * it cannot inject a mail header. The domain has at least two labels, and the last one begins with a letter.
 */
export const EmailAddress = AnsweredEmail.check(
  Schema.isMaxLength(254),
  Schema.makeFilter((text: string) => text.indexOf("@") <= 64 || "Expected at most 64 characters before the @"),
  Schema.isPattern(
    /^\.?[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*\.?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
    { message: "Expected an e-mail address" }
  )
)

/** A number of things or seconds. In answers it is never negative and fits 32 bits; that is documented, not checked. */
export const Count = Schema.Number.check(
  Schema.isInt({ toJsonSchema: () => ({ type: "integer", minimum: 0, maximum: 2 ** 31 - 1 }) })
)

export const Seconds = Count.annotate({ description: "Seconds" })

export const Sha256 = Schema.String.annotate({ description: "SHA-256 in hex" })

/** A SHA-256 in a request, in upper or lower case. */
export const SentSha256 = Sha256.check(
  Schema.isPattern(/^[0-9a-f]{64}$/i, { message: "Expected a SHA-256 in hex" })
).pipe(Schema.decode(SchemaTransformation.toLowerCase()))

/** ISO-8601 in UTC on the wire. */
export const Instant = Schema.String.annotate({ format: "date-time" })
  .pipe(Schema.decodeTo(Schema.Date, SchemaTransformation.dateFromString))

/** An existing date, written `YYYY-MM-DD`. There is no year 0, as in PostgreSQL. */
export const CalendarDate = Schema.String.annotate({ format: "date" }).check(
  Schema.makeFilter((text: string) =>
    /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true ||
    "Expected a calendar date (YYYY-MM-DD)"
  )
)

/** `Date` alone would read other forms in the server's time zone, and the 31st of February as the 3rd of March. */
const instantText = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

const isDay = Schema.is(CalendarDate)

const isInstant = (text: string) => isDay(instantText.exec(text)?.[1])

/** A request may give an instant with an offset; it is kept in UTC. */
export const SentInstant = Schema.String.annotate({ format: "date-time" }).check(
  Schema.makeFilter((text: string) => isInstant(text) || "Expected an ISO-8601 instant in UTC")
).pipe(Schema.decodeTo(Instant))

/** Accepts an instant, or a day. A day means the given `time` of that day in UTC. */
export const SentDayOrInstant = (time: "00:00:00.000" | "23:59:59.999") =>
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      isDay(text) || isInstant(text) || "Expected a calendar date (YYYY-MM-DD) or an ISO-8601 instant in UTC"
    )
  ).pipe(
    Schema.decode(SchemaTransformation.transform({
      decode: (text) => isDay(text) ? `${text}T${time}Z` : text,
      encode: (text) => text
    })),
    Schema.decodeTo(Instant)
  )
