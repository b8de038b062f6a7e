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

/** Every table with a veteran's id. */
const ofVeterans = await column(
  `select c.relname from ${relations} join pg_attribute a on a.attrelid = c.oid and a.attname = 'veteran_id'
   where c.relkind in ('r', 'p', 'm', 'v', 'f') and not c.relispartition order by 1`
)

// docs/schema.sql lists each policy, right and function (SchemaPage.test.ts). Here are the rules that they keep.

describe("Tables", () => {
  test("row-level security is enabled and forced on the protected tables", async () => {
    const forced = await column(
      `select relname from ${relations} where relrowsecurity and relforcerowsecurity and not relispartition order by 1`
    )
    assert.deepStrictEqual(forced, protectedTables)
  })

  test("every table with a veteran's id is protected, or listed as not protected yet", () => {
    assert.deepStrictEqual(ofVeterans, [...protectedTables, ...deferred].sort())
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

  test("hold every row with a veteran's id to a veteran who is there", async () => {
    assert.deepStrictEqual(await held(), ofVeterans)
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
    assert.deepStrictEqual(await held(), ofVeterans)
  })
})

describe("Rights", () => {
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

describe("Functions", () => {
  test("that run as their owner have a fixed search path, whose end is the temporary schema", async () => {
    const loose = await column(
      `select proname from ${functions}
       where prosecdef and not coalesce(proconfig, '{}') @> '{"search_path=pg_catalog, pg_temp"}'`
    )
    assert.deepStrictEqual(loose, [])
  })

  test("are open to PUBLIC only if they are trigger functions or just read a setting, and run as their caller", async () => {
    const open = await column(
      `select proname || case when prosecdef then ' as its owner' else '' end
       from ${functions}, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
       where acl.grantee = 0 order by 1`
    )
    assert.deepStrictEqual(open, ["accepted_categories", "actor", "actor_grant", "actor_provider", "actor_session",
      "actor_veteran", "keep_final_status", "released_types"])
  })
})
