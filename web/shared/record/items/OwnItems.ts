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
  { documents, notes, selfReported }: {
    readonly selfReported: ReadonlyArray<SelfReported>
    readonly documents: ReadonlyArray<SharedDocument>
    readonly notes: ReadonlyArray<Note>
  },
  addressOf: (documentId: string) => string
): ReadonlyArray<OwnItem> =>
  [
    ...selfReported.map(({ category, createdAt, occurredOn, text }) => ({
      ...ofKind("from-the-patient", text, "Sort", category.charAt(0).toUpperCase() + category.slice(1)),
      ...dated(occurredOn ?? createdAt),
      status: "Not checked by a clinician"
    })),
    ...documents.map(({ createdAt, id, kind, title }) => ({
      ...ofKind("shared-documents", title, "Sort", kind === "roi" ? "Signed release" : "From the patient"),
      ...dated(createdAt),
      address: addressOf(id)
    })),
    ...notes.map(({ createdAt, providerName, text }) => ({
      ...ofKind("notes", text, "By", providerName),
      ...dated(createdAt)
    }))
  ].map((line, index) => ({ ...line, key: -1 - index }))

const ofKind = (kind: OwnKind, title: string, valueName: string, value: string) => ({
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

/** A day stays as written. An instant counts on the reader's own day, as in the cards. */
const dated = (written: string): Pick<Line, "date" | "days"> => {
  const day = written.length > 10 ? dayOf(new Date(written)) : written
  return { date: written.length > 10 ? `${day}T${written}` : day, days: [day, day] }
}

const dayOf = (at: Date) =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0")).join("-")
