import { folded } from "../Folded.ts"
import type { Line, Note, SelfReported, SharedDocument } from "../Messages.ts"
import type { OwnKind } from "./Kinds.ts"

/** A line of the table that is no item of the record: what the patient wrote or shares, or a provider's note. */
export interface OwnItem extends Line {
  readonly kind: OwnKind
  /** The name of the value in the open line. */
  readonly valueName: string
  /** The address of a document's page. */
  readonly address: string | null
}

/** Lines of what the patient wrote and shares, and of notes, so that one search finds all. Their keys are negative. */
export const ownItems = (
  { documents, notes, selfReported, since = null }: {
    /** When the provider looked before. */
    readonly since?: string | null
    readonly selfReported: ReadonlyArray<SelfReported>
    readonly documents: ReadonlyArray<SharedDocument>
    readonly notes: ReadonlyArray<Note>
  },
  addressOf: (documentId: string) => string
): ReadonlyArray<OwnItem> => [
  ...selfReported.map(({ category, createdAt, id, occurredOn, text, updatedAt }) => ({
    ...ofKind("from-the-patient", id, text, "Sort", category.charAt(0).toUpperCase() + category.slice(1)),
    ...dated(occurredOn ?? createdAt),
    how: howOf(since, createdAt, updatedAt),
    status: "Not checked by a clinician",
    // The cards of the first glance have them too. The patient cannot mark one as past.
    isActive: category === "allergy" || category === "medication"
  })),
  ...documents.map(({ createdAt, id, kind, title }) => ({
    ...ofKind("shared-documents", id, title, "Sort", kind === "roi" ? "Signed release" : "From the patient"),
    ...dated(createdAt),
    how: howOf(since, createdAt),
    address: addressOf(id)
  })),
  ...notes.map(({ createdAt, id, providerName, text }) => ({
    ...ofKind("notes", id, text, "By", providerName),
    ...dated(createdAt)
  }))
]

/** Negative, so that it is no item's key. The last 48 bits of a UUIDv7 are random, and a line keeps them. */
const keyOf = (id: string) => -1 - Number.parseInt(id.slice(-12), 16)

const ofKind = (kind: OwnKind, id: string, title: string, valueName: string, value: string) => ({
  key: keyOf(id),
  id,
  title,
  value,
  valueName,
  status: null,
  flags: [],
  how: null,
  kind,
  isActive: false,
  address: null,
  folded: folded(`${title}\n${value}`)
})

/** An entry that the patient changed is told as changed. A provider's own note is not news to them. */
const howOf = (since: string | null, createdAt: string, updatedAt = createdAt): Line["how"] =>
  since === null || updatedAt <= since ? null : createdAt > since ? "new" : "changed"

/** A day stays as written. An instant counts on the reader's own day, as in the cards. */
const dated = (written: string): Pick<Line, "date" | "days"> => {
  const day = written.length > 10 ? dayOf(new Date(written)) : written
  return { date: written.length > 10 ? `${day}T${written}` : day, days: [day, day] }
}

const dayOf = (at: Date) =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-")
