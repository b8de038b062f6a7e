import type pg from "pg"
import { assert } from "vitest"
import { veterans } from "./Rows.ts"
import { type Call, state, veteran } from "./Stated.ts"

/** Runs each function by which access ends and veterans are forgotten (migrations/037). */
export const takeDeletionSteps = async (runtime: pg.Client, call: Call) => {
  await state(runtime, veteran("A"))
  await call("sharing_refusal", "$1", [veterans.A])
  await call("ask_own_deletion", "'x', 1800, 300", [])
  await call("cancel_own_deletion", "", [])
  // It ends releases, and so runs the trigger that takes the turn.
  assert.isAbove((await call("stop_sharing", "", [])).rows[0].releases, 0)
  await call("ask_deletion", "$1", [veterans.B])
  for (const name of ["deletion_of", "cancel_deletion"]) await call(name, "$1", [veterans.B])
  await call("end_access", "$1, 1800", [veterans.B])
  await call("forget_veteran", "$1, 1800, 10", [veterans.B])
  await call("deletions_due", "10", [])
  await call("leaves_held", "0, 10", [])
  for (const name of ["late_deletions", "rows_of_nobody"]) await call(name, "", [])
}
