import { Schema } from "effect"
import { AnsweredId, ProviderId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { perDay } from "./RateLimit.ts"
import { Instant, Text } from "./Scalars.ts"

/** Notes of one provider about one veteran. Nobody deletes a note, so one provider must not use up the room of all. */
export const notesWritten = perDay(100)

export const NewNote = Schema.Struct({ text: Text(20_000) }).annotate({ identifier: "NewProviderNote" })

export const ProviderNote = Schema.Struct({
  id: AnsweredId,
  providerId: ProviderId,
  providerName: Schema.String,
  text: Schema.String,
  createdAt: Instant
}).annotate({ identifier: "ProviderNote" })

export type ProviderNote = typeof ProviderNote.Type

export const ProviderNotePage = PageOf(ProviderNote)
