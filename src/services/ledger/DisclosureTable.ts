import { stringify } from "csv-stringify/sync"
import type { Disclosure } from "../../domain/Disclosure.ts"

const columns: Readonly<Record<string, (item: Disclosure) => string | number | null | undefined>> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  kind: ({ kind }) => kind,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  summary: ({ summary }) => summary,
  resource_types: ({ resourceTypes = {} }) =>
    Object.entries(resourceTypes).map(([type, count]) => `${type} ${count}`).join("; "),
  grant_id: ({ grantId }) => grantId,
  document_id: ({ documentId }) => documentId,
  link_id: ({ linkId }) => linkId,
  tree_index: ({ treeIndex }) => treeIndex
}

/**
 * CSV by RFC 4180. Names come from other people, so a cell that a spreadsheet would run as a formula gets an apostrophe
 * (OWASP, "CSV Injection").
 */
const write = (rows: ReadonlyArray<ReadonlyArray<string | number | null | undefined>>) =>
  stringify([...rows], { escape_formulas: true, record_delimiter: "windows" })

export const csvHead = write([Object.keys(columns)])

/** Writes events without the head. */
export const csvRows = (items: ReadonlyArray<Disclosure>): string =>
  items.length === 0 ? "" : write(items.map((item) => Object.values(columns).map((column) => column(item))))
