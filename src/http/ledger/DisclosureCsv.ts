import { stringify } from "csv-stringify/sync"
import { HttpServerResponse } from "effect/http"
import type { Disclosure, DisclosurePage } from "../../domain/Disclosure.ts"

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
 * Writes a page as CSV (RFC 4180). Names come from other people, so a cell that a spreadsheet would run as a formula
 * gets an apostrophe (OWASP, "CSV Injection"). The link to the next page is the request's `url` with another cursor.
 */
export const disclosureCsv = ({ items, nextCursor }: typeof DisclosurePage.Type, url: string) => {
  const rows = items.map((item) => Object.values(columns).map((column) => column(item)))
  const csv = stringify([Object.keys(columns), ...rows], { escape_formulas: true, record_delimiter: "windows" })
  return HttpServerResponse.text(csv, {
    contentType: "text/csv; charset=utf-8",
    headers: {
      "content-disposition": "attachment; filename=\"disclosures.csv\"",
      vary: "accept",
      ...(nextCursor === null ? {} : { link: `<${withCursor(url, nextCursor)}>; rel="next"` })
    }
  })
}

const withCursor = (url: string, cursor: string) => {
  const [path = "", query] = url.split("?")
  const parameters = new URLSearchParams(query)
  parameters.set("cursor", cursor)
  return `${path}?${parameters}`
}
