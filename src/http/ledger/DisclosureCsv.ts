import { HttpServerResponse } from "effect/http"
import type { DisclosurePage } from "../../domain/Disclosure.ts"
import { csvHead, csvRows } from "../../services/ledger/DisclosureTable.ts"

/** Writes a page as CSV. The link to the next page is the request's `url` with another cursor. */
export const disclosureCsv = ({ items, nextCursor }: typeof DisclosurePage.Type, url: string) => {
  return HttpServerResponse.text(`${csvHead}${csvRows(items)}`, {
    contentType: "text/csv; charset=utf-8",
    headers: {
      "content-disposition": "attachment; filename=\"disclosures.csv\"",
      vary: "accept",
      ...(nextCursor === null ? {} : { link: `<${withCursor(url, nextCursor)}>; rel="next"` })
    }
  })
}

export const withCursor = (url: string, cursor: string) => {
  const [path = "", query] = url.split("?")
  const parameters = new URLSearchParams(query)
  parameters.set("cursor", cursor)
  return `${path}?${parameters}`
}
