import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { takeAppSteps } from "./AppSteps.ts"
import { takeDeletionSteps } from "./DeletionSteps.ts"
import { openFilled } from "./Filled.ts"
import { takeNoticeSteps } from "./NoticeSteps.ts"
import { takePeopleSteps } from "./PeopleSteps.ts"
import { linkIds, providers, rows, veterans } from "./Rows.ts"
import { takeSignInSteps } from "./SignInSteps.ts"
import { hash, provider, recipient, state, veteran } from "./Stated.ts"
import { note } from "./Writes.ts"

const { database, runtime, superuser } = await openFilled()

const functions = async (condition: string) => {
  const { rows } = await superuser.query({
    text: `select p.proname from pg_proc p where p.pronamespace = 'app'::regnamespace and ${condition} order by 1`,
    rowMode: "array"
  })
  return rows.map(([name]) => name as string)
}

/** Acts of veteran A. A trigger writes the proof row of each act. */
const proved = {
  document: `insert into documents (id, veteran_id, kind, title, content_type, byte_size, sha256, storage_key, file_key)
    values (gen_random_uuid(), '${veterans.A}', 'upload', 'x', 'x', 1, sha256('x'), 'B upload', 'x')`,
  grant: `insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported,
      include_documents, purpose, expires_at)
    values (gen_random_uuid(), '${veterans.A}', '${providers.everything}', '{}', true, true, 'x', now() + interval '1 hour')`,
  link:
    `insert into secure_links (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash, expires_at)
    values ('${veterans.A}', gen_random_uuid(), '${
      rows.get("A release")
    }', 'x', 'x', sha256('x'), now() + interval '1 hour')`
}

/** A SMART Health Link of veteran A. */
const sharedLink = (file: string, ends: string) =>
  `insert into secure_links (veteran_id, id, document_id, recipient_name, recipient_email_ciphertext, token_hash, expires_at,
     shl_hash, shl_storage_key, shl_file_key, shl_byte_size, shl_sha256)
   values ('${veterans.A}', gen_random_uuid(), '${rows.get("A release")}', 'x', 'x', sha256('bundle ${file}'),
     clock_timestamp() + interval '${ends}', sha256('${file}'), '${file}', 'x', 1, sha256('x'))`

describe("The runtime role", () => {
  test("may create no temporary object", async () => {
    for (const object of ["table intruder ()", "view intruder as select 1", "sequence intruder"]) {
      const made = await runtime.query(`create temporary ${object}`).then(() => "made", ({ code }) => code as string)
      assert.strictEqual(made, "42501", object)
    }
    const domain = await runtime.query("create domain pg_temp.uuid as pg_catalog.uuid").then(
      () => "made",
      ({ code }) => code as string
    )
    assert.strictEqual(domain, "42501")
  })

  /** The types that the functions name. An unsafe search path would look up each name in the temporary schema first. */
  const shadowed = ["bytea", "float8", "int4", "int8", "interval", "jsonb", "text", "timestamptz", "uuid"]

  test("cannot run its own code as the owner, even with a right to create temporary types", async () => {
    await superuser.query(`grant temporary on database ${database.name} to vrss_app`)
    const ranAs = new Set<string>()
    runtime.on("notice", ({ message }) => ranAs.add(message!))
    await runtime.query(`
      create function pg_temp.spy() returns pg_catalog.bool language plpgsql as $$
      begin
        raise notice 'ran as %', current_user;
        return true;
      end $$`)
    for (const type of shadowed) {
      await runtime.query(`create domain pg_temp.${type} as pg_catalog.${type} check (pg_temp.spy())`)
    }
    const called = new Set<string>()
    const call = (name: string, args: string, values: ReadonlyArray<unknown>) => {
      called.add(name)
      return runtime.query(`select * from app.${name}(${args})`, [...values])
    }
    const token = hash("live")
    const [code, wrong, session, inApp] = [hash("code"), hash("wrong"), hash("session"), hash("in an app")]
    const [challenge, transfer] = [randomUUID(), randomUUID()]

    const { rows: [{ id: confirmed }] } = await superuser.query(
      `insert into veteran_sessions (veteran_id, id, key_thumbprint, how, network, expires_at, confirmed_at)
       values ($1, gen_random_uuid(), sha256('confirmed'), 'va', 'x', now() + interval '1 hour', now()) returning id`,
      [veterans.A]
    )
    await runtime.query("select '00000000-0000-7000-8000-000000000001'::pg_temp.uuid")
    assert.deepStrictEqual([...ranAs], ["ran as vrss_app"])

    await runtime.query("begin")
    await state(runtime, provider("everything"))
    await call("active_grants", "", [])
    await state(runtime, recipient("live"))
    await call("linked_documents", "", [])
    await runtime.query("select from documents")
    await state(runtime, veteran("A"))
    await runtime.query("select from documents")
    await call("prove_sync", "'{\"Condition\": 1}'", [])
    // The update of items runs `size_items`. Making room removes items, which runs `keep_tombstones`.
    assert.isAbove(
      (await runtime.query("update health_record_items set raw_ciphertext = raw_ciphertext || '1'")).rowCount!,
      0
    )
    await call("make_room", "1", [])
    for (const within of ["size_items", "keep_tombstones"]) called.add(within)
    // Runs a statement whose trigger calls the named function.
    const trigger = async (name: string, statement: string) => {
      called.add(name)
      assert.strictEqual((await runtime.query(statement)).rowCount, 1)
    }
    await call("prove_shape", "$1, null", [rows.get("A upload")])
    await call("events_about", "$1, null, '{document_read}', $2, $2, 10", [[token], rows.get("A upload")])
    await trigger("count_upload", `delete from documents where id = '${rows.get("A upload")}'`)
    await trigger(
      "count_release",
      `insert into documents select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
       from documents d where d.id = '${rows.get("A release")}'`
    )
    await trigger(
      "count_entry",
      `update self_reported_entries set deleted_at = now() where id = '${rows.get("A entry")}'`
    )
    for (const [what, statement] of Object.entries(proved)) await trigger(`prove_${what}`, statement)
    for (const [name, end] of [["shared", "1 hour"], ["lapsed", "-1 second"]] as const) {
      await runtime.query("insert into stored_files (storage_key) values ($1)", [name])
      await runtime.query(sharedLink(name, end))
    }
    await trigger("end_bundle", "update secure_links set status = 'disabled' where shl_storage_key = 'shared'")
    assert.strictEqual((await call("end_expired_bundles", "500", [])).rows[0].end_expired_bundles, 1)
    await state(runtime, provider("noTypes"))
    await call("prove_view", "$1, '{\"Condition\": 1}', '{\"notes\": 1}'", [linkIds.live])
    await call("note_look", "now(), now()", [])
    await call("prove_saving", "$1, '{\"Condition\": 1}'", [linkIds.live])
    await call("prove_reading", "$1", [rows.get("A upload")])
    await trigger("count_note", note(veterans.A, providers.noTypes))
    for (const within of ["count_look", "is_new_this_minute", "prove_note", "write_proof"]) called.add(within)
    await call("open_link", "$1", [token])
    await call("challenge_recipient", "$1, $2, $3, 30, 5", [token, challenge, code])
    await call("try_code", "$1, $2, $3, $4, 600, 5, 15", [token, challenge, wrong, session])
    await call("try_code", "$1, $2, $3, $4, 600, 5, 15", [token, challenge, code, session])
    const again = randomUUID()
    await call("challenge_recipient", "$1, $2, $3, 0, 5", [token, again, code])
    await call("passcode_state", "$1, 600, 5", [token])
    const passcode = "$1, $2, $3, $4, 'x', 600, 5, 15"
    await call("try_passcode", passcode, [token, again, wrong, inApp])
    await call("try_passcode", passcode, [token, again, code, inApp])
    await call("begin_transfer", "$1, $2, null, 10, false, 600, 60, 10", [inApp, transfer])
    await call("begin_transfer", "$1, $2, null, 10, false, 600, 60, 10", [session, transfer])
    await call("begin_transfer", "$1, $2, 5, 10, true, 600, 60, 10", [session, transfer])
    await call("end_transfer", "$1, $2, 5, false", [veterans.A, transfer])
    await call("note_notified", "$1, $2", [veterans.A, linkIds.live])
    await call("note_code_sent", "$1, $2", [veterans.A, linkIds.live])
    await call("forget_challenge", "$1, $2, $3", [veterans.A, linkIds.live, challenge])
    await call("looks_at", "array[$1::uuid]", [linkIds.live])
    const { rows: undrained } = await call("undrained_proofs", "2", [])
    const [leaf, aside] = undrained.map(({ id, veteran_id }) => [[veteran_id], [id]])
    await call("make_invitation", "$1, gen_random_uuid(), $2, 1, 10", [providers.noTypes, Buffer.alloc(32, 7)])
    // Its trigger runs within the sweep of old disclosures below.
    called.add("forget_subjects")
    await call("append_leaves", "$1, $2, $3, $3, $3", [...leaf!, [token]])
    await call("set_proofs_aside", "$1, $2, $3", [...aside!, ["x"]])
    await call("proofs_waiting", "", [])
    const { rows: [tree] } = await call("proof_tree", "", [])
    await call("store_checkpoint", "$1, true", [`x\n${tree.tree_size}\n${tree.root_hash.toString("base64")}\n`])
    await call("verify_release", "$1, $2", [rows.get("A release"), Buffer.alloc(32, 1)])
    const { client, grantId } = await takeAppSteps(runtime, call, veterans.A)
    await runtime.query("select set_config('app.grant_id', $1, true)", [grantId])
    await state(runtime, { actor: "app", veteran_id: veterans.A })
    await call("prove_app_reading", "'{\"Condition\": 1}'", [])
    await call("prove_sync", "'{\"Condition\": 1}'", [])
    await call("revoke_app_grant", "$1, null, $2", [grantId, client])
    for (const within of ["tell_app", "tell_apps_of_sync"]) called.add(within)
    await takeNoticeSteps(runtime, { call, called, confirmed })
    await takeSignInSteps(runtime, call)
    await takePeopleSteps(call)
    await takeDeletionSteps(runtime, call)
    const triggers = ["refuse_release", "refuse_sharing", "refuse_sync", "require_veteran", "take_turn_of_end"]
    for (const name of triggers) called.add(name)
    const kinds = ["grants", "links", "codes", "view sessions", "google sign-ins", "app requests", "app codes",
      "app tokens", "assertions", "minutes", "provider sessions", "rate limits", "disclosures"]
    for (const kind of kinds) await call("sweep", "$1, $2, 10", [kind, "1 hour"])
    await call("sweep_inactive_items", "$1, 10", ["1 day"])
    await runtime.query("commit")
    assert.deepStrictEqual([...ranAs], ["ran as vrss_app"])
    assert.deepStrictEqual([...called].sort(), await functions("p.prosecdef"))
  })
})
