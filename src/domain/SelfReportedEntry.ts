import { Schema } from "effect"
import { AnsweredId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { CalendarDate, Instant, Text } from "./Scalars.ts"

export const EntryCategory = Schema.Literals(["symptom", "medication", "allergy", "vital", "note"])

export const NewEntry = Schema.Struct({
  category: EntryCategory,
  text: Text(10_000),
  occurredOn: Schema.optional(Schema.NullOr(CalendarDate))
}).annotate({ identifier: "NewSelfReportedEntry" })

export type NewEntry = typeof NewEntry.Type

export const EntryChange = Schema.Struct({
  category: Schema.optional(EntryCategory),
  text: Schema.optional(Text(10_000)),
  occurredOn: NewEntry.fields.occurredOn
}).annotate({ identifier: "SelfReportedEntryChange" })

export type EntryChange = typeof EntryChange.Type

export const Entry = Schema.Struct({
  id: AnsweredId,
  category: EntryCategory,
  text: Schema.String,
  occurredOn: Schema.NullOr(Schema.String.annotate({ format: "date" })),
  createdAt: Instant,
  updatedAt: Instant
}).annotate({ identifier: "SelfReportedEntry" })

export type Entry = typeof Entry.Type

export const EntryPage = PageOf(Entry)
