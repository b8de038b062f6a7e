import { randomUUID } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { veterans } from "./Rows.ts"
import { type Call, hash, state, veteran } from "./Stated.ts"

/** Runs each function of exports, notices and changes of an address by the veteran (migrations/038). */
export const takeNoticeSteps = async (
  runtime: pg.Client,
  { call, called, confirmed }: {
    readonly call: Call
    /** Names of the functions that triggers ran. */
    readonly called: Set<string>
    /** The id of a confirmed session. */
    readonly confirmed: string
  }
) => {
  const challenge = randomUUID()
  const { rows: [asked] } = await call(
    "ask_email_change",
    "$1, $2, $3, 'new@example.org', $4, $5, 5, $6, 20, 1800, 300",
    [veterans.A, confirmed, challenge, hash("code"), hash("veteran"), hash("address")]
  )
  assert.strictEqual(asked.status, "asked")
  await call("email_addressee", "$1, $2, 600", [veterans.A, challenge])
  await state(runtime, veteran("A"))
  const { rows: [tried] } = await call("try_email_code", "$1, $2, 600, 5", [challenge, hash("code")])
  assert.strictEqual(tried.status, "right")
  await call("sweep_email_changes", "$1, 10", ["1 day"])
  await call("note_export", "$1, true", [veterans.A])
  await call("wants_looks", "$1", [veterans.A])
  await call("prove_sync", "'{}'", [])
  await runtime.query(
    "insert into veterans (id, va_patient_id, call_sign, email) values (gen_random_uuid(), 'C', 'x', 'x@example.org')"
  )
  // These ran as triggers of what came before: a new veteran, a sync and a look.
  for (const within of ["begin_notices", "note_sync", "keep_look"]) called.add(within)
  await call("notices_due", "", [])
  await call("tell_notices", "$1, 20", [[veterans.A, veterans.B]])
}
