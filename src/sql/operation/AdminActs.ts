import { Cause, Context, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { type AdminActFilter, AdminActKind, adminActTargets, AdminTargetKind } from "../../domain/AdminAct.ts"
import { NotFound } from "../../domain/Errors.ts"
import { isOfNobody } from "../Actor.ts"
import { atEdge } from "../Connections.ts"
import type { PageQuery } from "../Page.ts"
import { all } from "../Rows.ts"

/** The operator's key and request by which the fiber acts; undefined if no operator asked, as in the demo. */
export const ActingOperator = Context.Reference<{ readonly key: string; readonly requestId: string } | undefined>(
  "vrss/sql/operation/AdminActs/ActingOperator",
  { defaultValue: () => undefined }
)

interface NotedAct {
  readonly id: string
  readonly act: AdminActKind
  readonly targetId: string
  readonly reason: string | undefined
}

/** Adds the row of an act in the transaction that is open on `sql`. Without an operator it adds none. */
export const note = (sql: SqlClient.SqlClient, { act, id, reason, targetId }: NotedAct) =>
  Effect.withFiber((fiber) => {
    const operator = fiber.getRef(ActingOperator)
    if (operator === undefined) return Effect.void
    return Effect.asVoid(sql`insert into admin_acts ${
      sql.insert({
        id,
        act,
        targetKind: adminActTargets[act],
        targetId,
        key: operator.key,
        requestId: operator.requestId,
        reason: reason ?? null
      })
    }`)
  })

/**
 * Runs an act that concerns a veteran in one transaction, with the row that notes it. Fails with `NotFound` if the
 * veteran was forgotten, or is forgotten meanwhile.
 */
export const onVeteran = (sql: SqlClient.SqlClient) => <A, E>(act: Effect.Effect<A, E>) =>
  atEdge(sql.withTransaction(act)).pipe(
    Effect.catchCauseIf((cause) => isOfNobody(Cause.squash(cause)), () => Effect.fail(new NotFound()))
  )

const ActRow = Schema.Struct({
  id: Schema.String,
  at: Schema.Date,
  act: AdminActKind,
  targetKind: AdminTargetKind,
  targetId: Schema.String,
  key: Schema.String,
  requestId: Schema.String,
  reason: Schema.NullOr(Schema.String)
})

/** The newest first. */
export const list = (
  sql: SqlClient.SqlClient,
  { after, filter: { from, key, target, to }, limit }: PageQuery & { readonly filter: AdminActFilter }
) =>
  all(
    ActRow,
    sql`select id, at, act, target_kind, target_id, key, request_id, reason from admin_acts where ${
      sql.and([
        sql`true`,
        ...(after === undefined ? [] : [sql`id < ${after}`]),
        ...(target === undefined ? [] : [sql`target_id = ${target}`]),
        ...(key === undefined ? [] : [sql`key = ${key}`]),
        ...(from === undefined ? [] : [sql`at >= ${from}`]),
        ...(to === undefined ? [] : [sql`date_trunc('milliseconds', at) <= ${to}`])
      ])
    } order by id desc limit ${limit}`
  )
