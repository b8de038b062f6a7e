import { Effect } from "effect"
import { grantLimits } from "../../domain/ConsentGrant.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { PageQuery } from "../../sql/Page.ts"
import type { Paging } from "../platform/Paging.ts"

interface Query extends PageQuery {
  /** How many more grants that have ended the list may show. */
  readonly endedGrants: number
}

/** Reads a page of a list with grants. Its cursor counts the ended ones so far, so that the list stops at its limit. */
export const pageOfGrants = <Row extends { readonly id: string }, E, R>(
  paging: Paging["Service"],
  list: string,
  request: PageRequest,
  rows: (query: Query) => Effect.Effect<ReadonlyArray<Row>, E, R>,
  hasEnded: (row: Row) => boolean
) =>
  Effect.map(
    paging.page(
      list,
      request,
      ({ after: [after, before = "0"] = [], limit }) => {
        let shown = Number(before)
        return Effect.map(
          rows({ after, limit, endedGrants: Math.max(0, grantLimits.endedShown - shown) }),
          (read) => read.map((row) => ({ row, shown: hasEnded(row) ? ++shown : shown }))
        )
      },
      ({ row, shown }) => [row.id, `${shown}`]
    ),
    ({ items, nextCursor }) => ({ items: items.map(({ row }) => row), nextCursor })
  )
