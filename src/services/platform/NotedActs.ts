import type { SqlClient } from "effect/sql"
import type { AdminActKind } from "../../domain/AdminAct.ts"
import { note } from "../../sql/operation/AdminActs.ts"
import { newId } from "./Ids.ts"

/**
 * Notes an operator's act in the transaction that is open on `sql` (contract, part 10). `reason` is in the operator's
 * words: a ticket's number, no person.
 */
export const noteAct = (sql: SqlClient.SqlClient, act: AdminActKind, targetId: string, reason?: string) =>
  note(sql, { id: newId(), act, targetId, reason })
