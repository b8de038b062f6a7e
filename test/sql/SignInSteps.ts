import { randomUUID } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { veterans } from "./Rows.ts"
import { type Call, hash, state, veteran } from "./Stated.ts"

let spent = 0

/** A token that nobody has used, and its end. */
const once = () => [hash(`token ${++spent}`), new Date(Date.now() + 60_000)]

type Step = (status: unknown, name: string, args: string, values: ReadonlyArray<unknown>) => Promise<void>

/** Runs the functions of passkeys (migrations/041), within a confirmed session. */
const takePasskeySteps = async (runtime: pg.Client, step: Step, session: string, key: Buffer) => {
  const passkey = randomUUID()
  await step("added", "add_passkey", "$1, $2, $3, $4, $5, 'credential', 'key', -7, 'name', 5, 1800, 300", [
    ...once(),
    veterans.A,
    session,
    passkey
  ])
  await step(undefined, "passkey_of", "'credential', $1", [key])
  await step("confirmed", "confirm_by_passkey", "$1, $2, $3, $4, $5, $6, $7, $8, 1800, 300", [
    ...once(),
    ...once(),
    veterans.A,
    session,
    key,
    passkey
  ])
  await step("begun", "begin_passkey_session", "$1, $2, $3, $4, $5, $6, $7, $8, '', 'network', 10, 1800, 43200, 300", [
    ...once(),
    ...once(),
    veterans.A,
    passkey,
    key,
    randomUUID()
  ])
  await state(runtime, veteran("A"))
  await step(true, "remove_passkey", "$1", [passkey])
}

/** Runs each function of sign-in by the veteran's app (migrations/032, 033 and 041) for veteran A. */
export const takeSignInSteps = async (runtime: pg.Client, call: Call) => {
  const step: Step = async (status, name, args, values) => {
    const { rows: [row] } = await call(name, args, values)
    assert.strictEqual(row.status ?? row[name], status, name)
  }
  const [issuer, subject, key] = ["https://issuer.example", hash("subject"), hash("key")]
  const [pairing, session, added] = [randomUUID(), randomUUID(), randomUUID()]
  const begin = (status: string, id: string) =>
    step(
      status,
      "begin_veteran_session",
      "$1, $2, $3, $4, $5, $6, 'A', $7, $8, $9, $10, '', 'network', $11, 3, 10, 600, 5, 10, 1800, 43200, 300",
      [...once(), ...once(), issuer, subject, hash("patient"), key, id, veterans.A, hash("mailed")]
    )
  await runtime.query(
    "update veterans set pairing_code_hash = $1, pairing_code_ends_at = now() + interval '1 day' where id = $2",
    [hash("operator"), veterans.A]
  )
  await begin("pairing", pairing)
  await call("pairing_addressee", "$1, $2", [veterans.A, pairing])
  await step("begun", "pair", "$1, $2, $3, $4, $5, $6, $7, 'network', 10, 3, 10, 1800, 43200, 300", [
    ...once(),
    pairing,
    key,
    hash("mailed"),
    hash("operator"),
    randomUUID()
  ])
  await step(true, "is_of_new_device", "$1, $2", [veterans.A, pairing])
  await step(null, "known_way_in", "$1, $2, null, 10", [veterans.A, pairing])
  await begin("begun", session)
  await step("renewed", "renew_veteran_session", "$1, $2, $3, $4, 'network', 1800, 300", [...once(), session, key])
  for (const name of ["token_counts", "token_still_counts"]) {
    await step(true, name, "$1, $2, null, 1800", [veterans.A, session])
  }
  await step(null, "tokens_ended_at", "$1", [veterans.A])
  const presented = [...once(), ...once(), veterans.A, session, key]
  await step("confirmed", "confirm_veteran_session", "$1, $2, $3, $4, $5, $6, $7, $8, $9, 'A', 1800, 300", [
    ...presented,
    issuer,
    subject
  ])
  await takePasskeySteps(runtime, step, session, key)
  await step("paired", "add_identity", "$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null, 3, 1800, 300", [
    ...once(),
    ...once(),
    ...presented.slice(4),
    added,
    issuer,
    hash("another subject")
  ])
  await step("paired", "pair_by_hand", "$1, $2, $3, $4", [veterans.A, randomUUID(), issuer, hash("third subject")])
  await step("removed", "remove_identity", "$1, $2, $3, 1800, 300", [veterans.A, session, added])
  await state(runtime, veteran("A"))
  await step(true, "end_veteran_session", "$1, 1800", [session])
  await call("end_all_veteran_sessions", "1800", [])
  await step("changed", "change_patient", "$1, 'another number', 1800", [veterans.A])
  for (const kind of ["spent tokens", "pairings", "veteran sessions"]) {
    await call("sweep_sign_ins", "$1, '1 hour', 10", [kind])
  }
}
