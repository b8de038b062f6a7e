import { Schema } from "effect"

/** More than a day may have waits for one mail on the next day, in UTC. */
export const noticeLimits = { perDay: 20, staleDays: { minimum: 7, maximum: 365, default: 30 } } as const

const StaleAfterDays = Schema.Int.check(Schema.isBetween(noticeLimits.staleDays))

/** About what a veteran wants mails. Mails about the account's security do not depend on it. */
export const Notices = Schema.Struct({
  looks: Schema.Literals(["each", "daily", "off"]).annotate({
    description: "A mail for each look of somebody else at the record, one mail a day, or none"
  }),
  endings: Schema.Boolean.annotate({ description: "A mail 3 days before a share ends" }),
  staleAfterDays: Schema.NullOr(StaleAfterDays).annotate({
    description: "A mail once something is shared and no sync was stored for so many days. Null: none"
  })
}).annotate({ identifier: "Notices" })

export type Notices = typeof Notices.Type

/** A member that is missing gets its default. */
export const SentNotices = Schema.Struct({
  looks: Schema.optionalKey(Notices.fields.looks),
  endings: Schema.optionalKey(Notices.fields.endings),
  staleAfterDays: Schema.optionalKey(Schema.NullOr(StaleAfterDays))
}).annotate({ identifier: "SentNotices" })

export const defaultNotices: Notices = {
  looks: "daily",
  endings: true,
  staleAfterDays: noticeLimits.staleDays.default
}

/** What a notice tells. It names nobody, and nothing of a record. `at` is ISO 8601 in UTC. */
export const NoticeFacts = Schema.Union([
  Schema.Struct({ about: Schema.Literal("look"), at: Schema.String }),
  Schema.Struct({ about: Schema.Literal("ending"), at: Schema.String }),
  Schema.Struct({ about: Schema.Literal("stale"), at: Schema.String }),
  /** The looks of a day, and what was too much for the day before. `at` is the first end. */
  Schema.Struct({
    about: Schema.Literal("day"),
    looks: Schema.Int,
    endings: Schema.Int,
    at: Schema.optionalKey(Schema.String)
  })
])

export type NoticeFacts = typeof NoticeFacts.Type
