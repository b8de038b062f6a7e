import { Context, Effect, Layer } from "effect"
import type { AdminActFilter, AdminActPage } from "../../domain/AdminAct.ts"
import type { InvalidRequest } from "../../domain/Errors.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as ActsTable from "../../sql/operation/AdminActs.ts"
import { Paging } from "../platform/Paging.ts"

/** What operators did, by which key and to whom. Each act is noted in its own transaction, where it is done. */
export class AdminActs extends Context.Service<AdminActs, {
  /** The newest first. */
  readonly list: (query: PageRequest & AdminActFilter) => Effect.Effect<typeof AdminActPage.Type, InvalidRequest>
}>()("vrss/services/operation/AdminActs") {
  static readonly layer = Layer.effect(
    AdminActs,
    Effect.gen(function*() {
      const paging = yield* Paging
      const sql = yield* SharedConnections
      return AdminActs.of({
        list: Effect.fn("AdminActs.list")(function*({ cursor, limit, ...filter }) {
          const { items, nextCursor } = yield* paging.byId(
            `admin-acts|${JSON.stringify(filter)}`,
            { cursor, limit },
            (query) => ActsTable.list(sql, { ...query, filter })
          )
          return {
            items: items.map(({ reason, targetId, targetKind, ...act }) => ({
              ...act,
              target: { kind: targetKind, id: targetId },
              ...(reason === null ? {} : { reason })
            })),
            nextCursor
          }
        })
      })
    })
  )
}
