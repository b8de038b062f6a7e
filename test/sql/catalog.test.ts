import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { sealedColumns } from "../../src/services/platform/SealedColumns.ts"
import { openDatabase } from "../support/App.ts"
import { protectedTables } from "./Rows.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

const column = async (query: string, values: Array<unknown> = []) =>
  (await superuser.query({ text: query, values, rowMode: "array" })).rows.map(([first]) => first as string)

const relations = "pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'app')"

const functions = "pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname in ('public', 'app')"

/** Row-level security does not yet protect these tables of veterans (specification, "What the service does" 6). */
const deferred = [
  "acts_noted",
  "consent_grants",
  "health_record_sizes",
  "kept_releases",
  "looks_counted",
  "oauth_codes",
  "oauth_refresh_tokens",
  "oauth_requests",
  "outbox",
  "roi_revocations",
  "secure_link_otps",
  "secure_link_view_sessions",
  "secure_links",
  "storage_used",
  "stored_files",
  "veteran_networks",
  "veteran_sharing_ends",
  "veteran_token_ends"
]

describe("Tables", () => {
  test("row-level security is enabled and forced on the protected tables", async () => {
    const forced = await column(
      `select relname from ${relations} where relrowsecurity and relforcerowsecurity and not relispartition order by 1`
    )
    assert.deepStrictEqual(forced, protectedTables)
  })

  test("every table with a veteran's id is protected, or listed as not protected yet", async () => {
    const tables = await column(
      `select c.relname from ${relations} join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id'
       where c.relkind in ('r', 'p', 'm', 'v', 'f') and not c.relispartition order by 1`
    )
    assert.deepStrictEqual(tables, [...protectedTables, ...deferred].sort())
  })

  test("autovacuum comes to each part of the items once 3 % of its rows are dead", async () => {
    assert.deepStrictEqual(
      await column(
        "select distinct reloptions::text from pg_class where relname like 'health\\_record\\_items\\___' and relkind = 'r'"
      ),
      ["{fillfactor=90,autovacuum_vacuum_scale_factor=0.03}"]
    )
  })

  test("no view lets a role read rows past a policy", async () => {
    assert.deepStrictEqual(await column(`select relname from ${relations} where relkind in ('v', 'm', 'f')`), [])
  })

  test("only the backup reads a part of a table, and row-level security is enabled and forced there", async () => {
    const { rows } = await superuser.query(
      `select inhparent::regclass::text as whole, count(*)::int as parts,
         bool_and(relnamespace = 'app'::regnamespace and relrowsecurity and relforcerowsecurity) as forced,
         array(select distinct format('%s %s', acl.grantee::regrole, acl.privilege_type)
           from pg_inherits j join pg_class part on part.oid = j.inhrelid, aclexplode(part.relacl) acl
           where j.inhparent = i.inhparent and acl.grantee <> part.relowner) as rights,
         array(select distinct format('%s %s %s', polname, polcmd, polroles::regrole[])
           from pg_policy join pg_inherits j on j.inhrelid = polrelid where j.inhparent = i.inhparent) as policies
       from pg_inherits i join pg_class c on c.oid = inhrelid where c.relkind = 'r' group by inhparent order by 1`
    )
    const parts = {
      parts: 64,
      forced: true,
      rights: ["vrss_backup SELECT"],
      policies: ["backup_reads r {vrss_backup}"]
    }
    assert.deepStrictEqual(rows, [{ whole: "health_record_items", ...parts }, { whole: "proofs", ...parts }])
  })

  test("no relation, function or schema belongs to the runtime role or to a role that it may become", async () => {
    const owned = await column(
      `select relname from ${relations} where pg_has_role('vrss_app', relowner, 'member')
       union all select proname from ${functions} where pg_has_role('vrss_app', proowner, 'member')
       union all select nspname from pg_namespace where nspname in ('public', 'app') and pg_has_role('vrss_app', nspowner, 'member')`
    )
    assert.deepStrictEqual(owned, [])
  })

  test("the protected tables have policies for exactly the listed kinds of actors and roles", async () => {
    const policies = await column(
      `select format('%s.%s %s %s', tablename, policyname, cmd, case when roles = array[tableowner] then 'the owner'
         else array_to_string(roles, ',') end)
       from pg_policies join pg_tables using (schemaname, tablename)
       where format('%I.%I', schemaname, tablename)::regclass not in (select inhrelid from pg_inherits) order by 1`
    )
    assert.deepStrictEqual(policies, [
      "documents.backup_reads SELECT vrss_backup",
      "documents.functions_forget ALL the owner",
      "documents.kept_are_hidden ALL vrss_runtime",
      "documents.notices_read SELECT the owner",
      "documents.provider_reads_granted SELECT vrss_runtime",
      "documents.recipient_reads_linked SELECT vrss_runtime",
      "documents.retention_forgets ALL vrss_runtime",
      "documents.rotation_reseals ALL vrss_rotation",
      "documents.verification_reads SELECT the owner",
      "documents.veteran_owns ALL vrss_runtime",
      "email_changes.backup_reads SELECT vrss_backup",
      "email_changes.functions_keep ALL the owner",
      "endings_told.backup_reads SELECT vrss_backup",
      "endings_told.functions_keep ALL the owner",
      "health_record_counts.app_reads_granted SELECT vrss_runtime",
      "health_record_counts.backup_reads SELECT vrss_backup",
      "health_record_counts.functions_forget ALL the owner",
      "health_record_counts.provider_reads_granted SELECT vrss_runtime",
      "health_record_counts.release_reads_accepted SELECT vrss_runtime",
      "health_record_counts.veteran_owns ALL vrss_runtime",
      "health_record_items.app_reads_granted SELECT vrss_runtime",
      "health_record_items.backup_reads SELECT vrss_backup",
      "health_record_items.functions_forget ALL the owner",
      "health_record_items.functions_remove ALL the owner",
      "health_record_items.provider_reads_granted SELECT vrss_runtime",
      "health_record_items.release_reads_accepted SELECT vrss_runtime",
      "health_record_items.rotation_reseals ALL vrss_rotation",
      "health_record_items.veteran_owns ALL vrss_runtime",
      "health_record_tombstones.backup_reads SELECT vrss_backup",
      "health_record_tombstones.functions_keep ALL the owner",
      "health_record_tombstones.veteran_reads SELECT vrss_runtime",
      "looks_untold.backup_reads SELECT vrss_backup",
      "looks_untold.functions_keep ALL the owner",
      "proofs.backup_reads SELECT vrss_backup",
      "proofs.functions_keep ALL the owner",
      "proofs.rotation_reseals ALL vrss_rotation",
      "proofs.veteran_reads SELECT vrss_runtime",
      "provider_notes.backup_reads SELECT vrss_backup",
      "provider_notes.functions_forget ALL the owner",
      "provider_notes.provider_reads_own SELECT vrss_runtime",
      "provider_notes.provider_writes_own INSERT vrss_runtime",
      "provider_notes.rotation_reseals ALL vrss_rotation",
      "provider_notes.veteran_reads SELECT vrss_runtime",
      "record_looks.backup_reads SELECT vrss_backup",
      "record_looks.functions_keep ALL the owner",
      "record_looks.provider_reads_own SELECT vrss_runtime",
      "self_reported_entries.backup_reads SELECT vrss_backup",
      "self_reported_entries.functions_forget ALL the owner",
      "self_reported_entries.provider_reads_granted SELECT vrss_runtime",
      "self_reported_entries.rotation_reseals ALL vrss_rotation",
      "self_reported_entries.veteran_owns ALL vrss_runtime",
      "veteran_deletions.backup_reads SELECT vrss_backup",
      "veteran_deletions.functions_keep ALL the owner",
      "veteran_identities.backup_reads SELECT vrss_backup",
      "veteran_identities.functions_keep ALL the owner",
      "veteran_identities.veteran_reads SELECT vrss_runtime",
      "veteran_notices.backup_reads SELECT vrss_backup",
      "veteran_notices.functions_keep ALL the owner",
      "veteran_notices.veteran_owns ALL vrss_runtime",
      "veteran_pairings.backup_reads SELECT vrss_backup",
      "veteran_pairings.functions_keep ALL the owner",
      "veteran_passkeys.backup_reads SELECT vrss_backup",
      "veteran_passkeys.functions_keep ALL the owner",
      "veteran_passkeys.rotation_reseals ALL vrss_rotation",
      "veteran_passkeys.veteran_reads SELECT vrss_runtime",
      "veteran_sessions.backup_reads SELECT vrss_backup",
      "veteran_sessions.functions_keep ALL the owner",
      "veteran_sessions.rotation_reseals ALL vrss_rotation",
      "veteran_sessions.veteran_reads SELECT vrss_runtime"
    ])
  })

  test("every unique key begins with the veteran's id, so a failed insert reveals no other veteran's row", async () => {
    const keys = await column(
      `select format('%s %s', c.relname, a.attname) from ${relations}
         join pg_index i on i.indrelid = c.oid and i.indisunique
         join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where c.relname = any ($1) and i.indexrelid <> 'proofs_leaf'::regclass order by 1`,
      [protectedTables]
    )
    // The runtime role inserts no row of these: functions decide whose account or passkey it is.
    const ofFunctions = ["veteran_identities issuer", "veteran_pairings id", "veteran_passkeys credential_id"]
    assert.deepStrictEqual(
      keys.filter((key) => !ofFunctions.includes(key)),
      protectedTables.filter((table) => table !== "veteran_pairings").map((table) => `${table} veteran_id`)
    )
    assert.includeMembers(keys, ofFunctions)
  })
})

describe("Foreign keys", () => {
  /** Tables with a veteran's id that have a checked key to `veterans`, or to a table whose rows have one. */
  const held = () =>
    column(
      `with recursive held as (
         select 'veterans'::regclass::oid as relation
         union
         select k.conrelid from pg_constraint k join held on k.confrelid = held.relation
           join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'veteran_id' and a.attnum = any (k.conkey)
         where k.contype = 'f' and k.convalidated
       )
       select relname from held join pg_class c on c.oid = held.relation
       where relname <> 'veterans' and not relispartition order by 1`
    )

  /** Every table with a veteran's id. */
  const all = () =>
    column(
      `select c.relname from ${relations} join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id'
       where c.relkind in ('r', 'p') and not c.relispartition order by 1`
    )

  test("hold every row with a veteran's id to a veteran who is there", async () => {
    assert.deepStrictEqual(await held(), await all())
  })

  test("lead from each table of health data to the veterans at once", async () => {
    const direct = await column(
      `select conrelid::regclass::text from pg_constraint
       where contype = 'f' and confrelid = 'veterans'::regclass and convalidated order by 1`
    )
    assert.includeMembers(direct, ["acts_noted", "documents", "health_record_counts", "health_record_items",
      "health_record_sizes", "health_record_tombstones", "looks_counted", "proofs", "provider_notes",
      "self_reported_entries"])
  })

  test("are checked for rows that were there before, and refuse those of nobody", async () => {
    const file = await readFile(new URL("../../migrations/040_valid_keys.sql", import.meta.url), "utf8")
    const owner = await database.connect("owner")
    const tables = Array.from(file.matchAll(/alter table (\w+) validate constraint/g), ([, table]) => table!)
    assert.lengthOf(tables, 10)
    const id = randomUUID()
    const validate = () => owner.query(`set row_security = off; ${file}`).then(() => "valid", ({ code }) => code)
    await superuser.query("set session_replication_role = replica")
    // A table of parts takes a foreign key only with its rows checked.
    for (const table of ["looks_counted", "health_record_tombstones"]) {
      await owner.query(`alter table ${table} drop constraint ${table}_veteran_id_fkey`)
      await owner.query(
        `alter table ${table} add constraint ${table}_veteran_id_fkey foreign key (veteran_id) references veterans not valid`
      )
      await superuser.query(
        table === "looks_counted"
          ? "insert into looks_counted values ($1, $1, 1, now())"
          : `insert into health_record_tombstones (veteran_id, resource_type, fhir_id, sensitive_categories)
             values ($1, 'Condition', 'x', '{hiv}')`,
        [id]
      )
      assert.strictEqual(await validate(), "23503", table)
      const { rows } = await superuser.query("select * from app.rows_of_nobody()")
      assert.deepStrictEqual(rows, [{ table_name: table, rows: "1" }])
      await superuser.query(`delete from ${table} where veteran_id = $1`, [id])
      assert.strictEqual(await validate(), "valid", table)
    }
    await superuser.query("reset session_replication_role")
    assert.deepStrictEqual(await held(), await all())
  })
})

describe("Rights", () => {
  test("the runtime role has exactly these rights on the protected tables", async () => {
    const rights = await column(
      `select format('%s %s', table_name, string_agg(privilege_type, ',' order by privilege_type))
       from information_schema.role_table_grants
       where grantee in ('vrss_runtime', 'vrss_app', 'PUBLIC') and table_name = any ($1) group by table_name order by 1`,
      [protectedTables]
    )
    assert.deepStrictEqual(rights, [
      "documents DELETE,INSERT,SELECT",
      "health_record_counts INSERT,SELECT,UPDATE",
      "health_record_items INSERT,SELECT,UPDATE",
      "health_record_tombstones SELECT",
      "proofs SELECT",
      "provider_notes INSERT,SELECT",
      "record_looks SELECT",
      "self_reported_entries INSERT,SELECT,UPDATE",
      "veteran_identities SELECT",
      "veteran_notices SELECT",
      "veteran_passkeys SELECT",
      "veteran_sessions SELECT"
    ])
  })

  test("the runtime role has exactly these rights on links, the tables of apps, and the outbox", async () => {
    const rights = await column(
      `select format('%s %s', c.relname, string_agg(distinct acl.privilege_type, ',' order by acl.privilege_type))
       from ${relations}, aclexplode(c.relacl) as acl
       where acl.grantee not in (c.relowner, 'vrss_backup'::regrole) and (c.relname like 'secure_link%' or c.relname like 'oauth_%' or c.relname in ('identity_assertions', 'outbox'))
       group by c.relname order by 1`
    )
    assert.deepStrictEqual(rights, [
      "identity_assertions INSERT,SELECT",
      "oauth_clients INSERT,SELECT",
      "oauth_requests INSERT,SELECT",
      "outbox DELETE,INSERT,SELECT",
      "secure_links SELECT"
    ])
    const columns = await column(
      `select format('%s %s %s', c.relname, acl.privilege_type, string_agg(a.attname, ',' order by a.attname))
       from ${relations} join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) as acl
       where acl.grantee <> 'vrss_rotation'::regrole and (c.relname like 'secure_link%' or c.relname like 'oauth_%' or c.relname in ('identity_assertions', 'outbox'))
       group by c.relname, acl.privilege_type order by 1`
    )
    assert.deepStrictEqual(columns, [
      "oauth_clients UPDATE disabled_at,secret_hash,webhook_gone_at",
      "outbox UPDATE attempts,due_at",
      "secure_link_view_sessions SELECT link_id,session_hash,veteran_id,via",
      "secure_links INSERT document_id,expires_at,id,recipient_email_ciphertext,recipient_name,shl_byte_size,shl_file_key," +
      "shl_hash,shl_sha256,shl_storage_key,token_hash,veteran_id",
      "secure_links UPDATE disabled_at,status"
    ])
  })

  test("the role that rotates keys may only read and replace sealed values, and read their rows' ids", async () => {
    const rights = await column(
      `select format('%s %s %s', c.relname, acl.privilege_type, string_agg(a.attname, ',' order by a.attname))
       from ${relations} join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) as acl
       where acl.grantee = 'vrss_rotation'::regrole group by c.relname, acl.privilege_type order by 1`
    )
    const expected = Object.entries(sealedColumns).flatMap(([table, { columns, row }]) => [
      `${table} SELECT ${["veteran_id", ...row, ...columns].sort().join()}`,
      `${table} UPDATE ${[...columns].sort().join()}`
    ])
    assert.deepStrictEqual(rights, expected.sort())
    const onTables = await column(
      `select format('%s %s', c.relname, string_agg(acl.privilege_type, ',' order by acl.privilege_type))
       from ${relations}, aclexplode(c.relacl) as acl
       where acl.grantee = 'vrss_rotation'::regrole group by c.relname order by 1`
    )
    // The trigger that counts items runs with the rights of this role, so the role needs rights on the counts. It still
    // writes no count, because no policy allows that.
    assert.deepStrictEqual(onTables, [
      "health_record_counts INSERT,SELECT,UPDATE",
      "key_rotations DELETE,INSERT,SELECT,UPDATE"
    ])
  })

  test("the backup role may read every table, and do nothing else", async () => {
    const more = await column(
      `select format('%s %s', table_name, privilege_type) from information_schema.role_table_grants
       where grantee = 'vrss_backup' and privilege_type <> 'SELECT'`
    )
    assert.deepStrictEqual(more, [])
    const unread = await column(
      `select relname from ${relations} where relkind in ('r', 'p')
         and not has_table_privilege('vrss_backup', c.oid, 'select')`
    )
    assert.deepStrictEqual(unread, [])
  })

  test("no runtime or backup role is a superuser, bypasses row-level security or may create roles", async () => {
    const strong = await column(
      `select rolname from pg_roles where rolname in ('vrss_app', 'vrss_runtime', 'vrss_backup')
         and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)`
    )
    assert.deepStrictEqual(strong, [])
  })
})

describe("Functions that run as their owner", () => {
  test("have a fixed search path", async () => {
    const loose = await column(
      `select proname from ${functions}
       where prosecdef and not coalesce('search_path=pg_catalog, pg_temp' = any (proconfig), false)`
    )
    assert.deepStrictEqual(loose, [])
    assert.deepStrictEqual(await column(`select proname from ${functions} where prosecdef order by 1`), [
      "active_grants",
      "add_identity",
      "add_passkey",
      "append_leaves",
      "approve_request",
      "ask_deletion",
      "ask_email_change",
      "ask_own_deletion",
      "begin_notices",
      "begin_passkey_session",
      "begin_transfer",
      "begin_veteran_session",
      "cancel_deletion",
      "cancel_own_deletion",
      "challenge_from_network",
      "challenge_recipient",
      "challenge_request",
      "change_patient",
      "change_provider",
      "change_veteran_email",
      "confirm_by_passkey",
      "confirm_veteran_session",
      "count_entry",
      "count_look",
      "count_note",
      "count_release",
      "count_upload",
      "decided_request",
      "deletion_of",
      "deletions_due",
      "deny_request",
      "email_addressee",
      "end_access",
      "end_all_veteran_sessions",
      "end_bundle",
      "end_expired_bundles",
      "end_transfer",
      "end_veteran_session",
      "forget_challenge",
      "forget_request_code",
      "forget_subjects",
      "forget_veteran",
      "is_new_this_minute",
      "keep_look",
      "keep_tombstones",
      "late_deletions",
      "leaves_held",
      "linked_documents",
      "looks_at",
      "make_invitation",
      "make_room",
      "note_code_sent",
      "note_export",
      "note_look",
      "note_notified",
      "note_sync",
      "notices_due",
      "open_link",
      "pair",
      "pair_by_hand",
      "pairing_addressee",
      "passcode_state",
      "passkey_of",
      "proof_tree",
      "proofs_waiting",
      "prove_app_reading",
      "prove_document",
      "prove_grant",
      "prove_link",
      "prove_note",
      "prove_reading",
      "prove_saving",
      "prove_shape",
      "prove_sync",
      "prove_view",
      "redeem_code",
      "refuse_release",
      "refuse_sharing",
      "refuse_sync",
      "remove_identity",
      "remove_passkey",
      "renew_veteran_session",
      "require_veteran",
      "revoke_app_grant",
      "rotate_refresh_token",
      "rows_of_nobody",
      "set_proofs_aside",
      "sharing_refusal",
      "size_items",
      "stop_sharing",
      "store_checkpoint",
      "sweep",
      "sweep_email_changes",
      "sweep_inactive_items",
      "sweep_sign_ins",
      "sweep_veteran_networks",
      "take_turn_of_end",
      "tell_app",
      "tell_apps_of_sync",
      "tell_notices",
      "token_counts",
      "token_still_counts",
      "tokens_ended_at",
      "try_code",
      "try_code_from_network",
      "try_email_code",
      "try_passcode",
      "try_request_code",
      "undrained_proofs",
      "verify_release",
      "vouch_for_request",
      "wants_looks",
      "write_proof"
    ])
  })

  test("are closed to PUBLIC", async () => {
    const open = await column(
      `select proname from ${functions}, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
       where prosecdef and acl.grantee = 0`
    )
    assert.deepStrictEqual(open, [])
  })
})

describe("Functions", () => {
  test("are open to PUBLIC only if they are trigger functions or just read a setting", async () => {
    const open = await column(
      `select proname from ${functions}, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
       where acl.grantee = 0 order by 1`
    )
    assert.deepStrictEqual(open, ["accepted_categories", "actor", "actor_grant", "actor_provider", "actor_session",
      "actor_veteran", "keep_final_status", "released_types"])
  })

  test("are open to the runtime role exactly as listed here", async () => {
    const open = await column(
      `select proname from ${functions}, aclexplode(proacl) as acl
       where acl.grantee in ('vrss_runtime'::regrole, 'vrss_app'::regrole) order by 1`
    )
    assert.deepStrictEqual(open, ["active_grants", "add_identity", "add_passkey", "append_leaves", "approve_request",
      "ask_deletion", "ask_email_change", "ask_own_deletion", "begin_passkey_session", "begin_transfer",
      "begin_veteran_session", "cancel_deletion", "cancel_own_deletion", "category_set", "challenge_address",
      "challenge_at_address", "challenge_from_network", "challenge_recipient", "challenge_request", "change_password",
      "change_patient", "change_provider", "change_veteran_email", "confirm_by_passkey", "confirm_veteran_session",
      "decided_request", "deletion_of", "deletions_due", "deny_request", "email_addressee", "end_access",
      "end_all_veteran_sessions", "end_expired_bundles", "end_transfer", "end_veteran_session", "forget_challenge",
      "forget_password", "forget_request_code", "forget_veteran", "has_room_for_grant", "in_force", "keep_password",
      "late_deletions", "leaves_held", "link_status", "linked_documents", "listed_patients", "looks_at",
      "mail_password_link", "make_invitation", "make_room", "may_forget", "note_code_sent", "note_export", "note_look",
      "note_notified", "notices_due", "open_link", "pair", "pair_by_hand", "pairing_addressee", "passcode_state",
      "passkey_of", "proof_tree", "proofs_waiting", "prove_app_reading", "prove_reading", "prove_saving", "prove_shape",
      "prove_sync", "prove_view", "provider_of_password_link", "redeem_code", "release_status", "remove_document",
      "remove_identity", "remove_passkey", "renew_veteran_session", "revoke_app_grant", "rotate_refresh_token",
      "rows_of_nobody", "set_password", "set_proofs_aside", "share_sessions", "sharing_refusal", "spend_permits",
      "stop_sharing", "store_checkpoint", "sweep", "sweep_email_changes", "sweep_inactive_items",
      "sweep_password_links", "sweep_sign_ins", "sweep_veteran_networks", "sweep_waitlist", "take_message",
      "take_sharing_turn", "takes_writes", "tell_notices", "token_counts", "token_still_counts", "tokens_ended_at",
      "try_code", "try_code_from_network", "try_email_code", "try_lock_tree", "try_passcode", "try_request_code",
      "undrained_proofs", "verify_release", "vouch_for_request", "wants_looks"])
  })
})
