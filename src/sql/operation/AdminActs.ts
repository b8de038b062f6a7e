import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { AdminAct, AdminActKind } from "../../domain/AdminAct.ts"

/** The operator's key and request by which the fiber acts; undefined if no operator asked, as in the demo. */
export const ActingOperator = Context.Reference<{ readonly key: string; readonly requestId: string } | undefined>(
  "vrss/sql/operation/AdminActs/ActingOperator",
  { defaultValue: () => undefined }
)

interface NotedAct {
  readonly id: string
  readonly act: AdminActKind
  readonly target: AdminAct["target"]
  /** Why, in the operator's words: a ticket's number, no person. */
  readonly reason?: string
}

/** Adds the row of an act in the transaction that is open on `sql`. Without an operator it adds none. */
export const note = (sql: SqlClient.SqlClient, { act, id, reason, target }: NotedAct) =>
  Effect.withFiber((fiber) => {
    const operator = fiber.getRef(ActingOperator)
    if (operator === undefined) return Effect.void
    return Effect.asVoid(sql`insert into admin_acts ${
      sql.insert({
        id,
        act,
        targetKind: target.kind,
        targetId: target.id,
        key: operator.key,
        requestId: operator.requestId,
        reason: reason ?? null
      })
    }`)
  })
