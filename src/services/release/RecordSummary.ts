import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import type { Block } from "../pdf/Lines.ts"
import { minuteOf } from "../platform/Instants.ts"
import type { ReleasedRecord } from "./ReleasedRecord.ts"
import { standingWords } from "./ReleaseWarnings.ts"
import { count, plural } from "./ReleaseWords.ts"
import type { SignedAuthorization } from "./SignedAuthorization.ts"

/** The parts of the authorization that the record's pages repeat. */
export type RecordHead = Pick<SignedAuthorization, "information" | "record" | "signedAt" | "veteran">

/** Says whose record it is, what is in it, and what its silence does not mean (released-record.md). */
export const summary = (head: RecordHead, record: ReleasedRecord): ReadonlyArray<Block> => {
  const counts = countsIn(record)
  return [
    ...about(head, record, []),
    {
      kind: "table",
      headers: ["Kind of record", "Items here", "At the service"],
      widths: [40, 16, 44],
      rows: head.record.map((held) => [
        [{ text: wordsFor(held.resourceType), bold: true }],
        [{ text: count(counts.get(held.resourceType) ?? 0) }],
        [{ text: standingWords([held], head.signedAt) }]
      ])
    }
  ]
}

/** The same on less paper. The list of kinds does not say how complete each is. */
export const shortSummary = (head: RecordHead, record: ReleasedRecord): ReadonlyArray<Block> => {
  const counts = countsIn(record)
  const kinds = head.record.map(({ resourceType }) =>
    `${wordsFor(resourceType)} ${count(counts.get(resourceType) ?? 0)}`
  )
  return about(head, record, [["Kinds of record", kinds.join("; ")]])
}

const countsIn = ({ entries }: ReleasedRecord) => {
  const counts = new Map<string, number>()
  for (const { resourceType } of entries) counts.set(resourceType, (counts.get(resourceType) ?? 0) + 1)
  return counts
}

const about = (
  { information, signedAt, veteran }: RecordHead,
  { died, entries, undated }: ReleasedRecord,
  more: ReadonlyArray<readonly [label: string, text: string]>
): ReadonlyArray<Block> => {
  const range = rangeWords(information)
  return [
    { kind: "heading", level: 1, text: "Health record" },
    { kind: "heading", level: 2, text: "Summary" },
    {
      kind: "list",
      labels: 110,
      items: [
        ["Whose record", `${veteran.fullName}, born ${veteran.dateOfBirth}`],
        ...died === null ? [] : [["The record says", died === "Yes" ? "Deceased" : `Died ${died}`] as const],
        ["Released", `${plural(entries.length, "item")} ${range ?? "of all dates"}, as of ${minuteOf(signedAt)}`],
        ...more
      ]
    },
    ...range === null || undated === 0
      ? []
      : [paragraph(`${plural(undated, "item")} without a date ${undated === 1 ? "was" : "were"} left out.`)],
    paragraph("What is not listed here is not in this document. That is not the same as none. Ask the patient.")
  ]
}

/** The dates of the released items, or null if items of all dates are released. */
export const rangeWords = ({ dateFrom, dateTo }: RecordHead["information"]): string | null =>
  dateFrom === null && dateTo === null
    ? null
    : [dateFrom && `from ${dateFrom}`, dateTo && `through ${dateTo}`].filter(Boolean).join(" ")

const paragraph = (text: string): Block => ({ kind: "paragraph", text })
