import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, test } from "vitest"
import * as DatabaseGuard from "../../src/sql/DatabaseGuard.ts"
import { openDatabase } from "../support/App.ts"
import { connect, openGuard } from "./Guard.ts"

const database = await openDatabase()

const problems = openGuard(database)

const traces = openGuard(database, DatabaseGuard.traces)

const runtime = connect(database, "runtime")

const instead = "connect the runtime pool (DATABASE_APP_URL) as an ordinary role that owns no table"

describe("The guard of row-level security", () => {
  test.each([true, false])("finds nothing wrong with the runtime role (production: %s)", async (production) => {
    const found = Effect.flatMap(SqlClient.SqlClient, (sql) => DatabaseGuard.problems(sql, production))
    assert.deepStrictEqual(await runtime.runPromise(found), [])
  })

  test.each([true, false])("refuses a superuser (production: %s)", async (production) => {
    const [first] = await problems("postgres", [], production)
    assert.strictEqual(
      first,
      `The runtime role postgres is a superuser, for whom row-level security does not hold: ${instead}.`
    )
  })

  const member = "create role intruder in role vrss_runtime"
  test.each([
    ["a role with BYPASSRLS", ["create role intruder bypassrls in role vrss_runtime"]],
    ["a member of a role with BYPASSRLS", ["create role strong bypassrls", member, "grant strong to intruder"]],
    [
      "a member of a role with BYPASSRLS that it does not inherit",
      ["create role strong bypassrls", member, "grant strong to intruder with inherit false"]
    ]
  ])("refuses %s", async (_, changes) => {
    for (const production of [true, false]) {
      assert.deepStrictEqual(await problems("intruder", changes, production), [
        `The runtime role intruder may bypass row-level security (BYPASSRLS): ${instead}.`
      ])
    }
  })

  test.each([
    ["a member of the backup role, which can read every row", "vrss_app", "grant vrss_backup to vrss_app",
      "is a member of vrss_backup, which reads every row."],
    ["a member of the role that rotates keys", "vrss_app", "grant vrss_rotation to vrss_app",
      `is a member of vrss_rotation, which replaces sealed values: ${instead}.`],
    ["a role without the rights of the runtime role", "intruder", "create role intruder",
      "is no member of vrss_runtime: run 'grant vrss_runtime to intruder' as the owner."]
  ])("refuses %s", async (_, role, change, problem) => {
    for (const production of [true, false]) {
      assert.deepStrictEqual(await problems(role, [change], production), [`The runtime role ${role} ${problem}`])
    }
  })

  test("in production only, refuses the owner of a table and a role that may become the owner", async () => {
    const changes = [member, "alter table provider_notes owner to intruder"]
    // Its policy names a role that owns the table no longer.
    const found = [
      `The runtime role intruder owns the table provider_notes: ${instead}.`,
      "The schema is not what the migrations make: the policy functions_forget on public.provider_notes is changed."
    ]
    assert.deepStrictEqual(await problems("intruder", changes), found)
    assert.deepStrictEqual(await problems("intruder", changes, false), [])
    const through = [member, "create role strong", "grant strong to intruder",
      "alter table provider_notes owner to strong"]
    assert.deepStrictEqual(await problems("intruder", through), found)
  })

  const tables = ["documents", "health_record_items", "health_record_tombstones", "provider_notes", "record_looks",
    "self_reported_entries"]

  test.each(["disable row level security", "no force row level security"])(
    "refuses each protected table after: %s",
    async (change) => {
      const found = await problems("vrss_app", tables.map((table) => `alter table ${table} ${change}`), false)
      assert.sameMembers([...found], tables.map((table) => `Row-level security is not enabled and forced on ${table}.`))
    }
  )

  test("refuses each protected table that is missing", async () => {
    const found = await problems("vrss_app", [`drop table ${tables.join()} cascade`], false)
    assert.sameMembers([...found], tables.map((table) => `The table ${table} is missing: apply the migrations.`))
  })
})

describe("The guard of the runtime role", () => {
  test.each([
    ["alter role vrss_app createrole", "may create roles (CREATEROLE)"],
    ["create role strong createrole; grant strong to vrss_app", "may create roles (CREATEROLE)"],
    ["alter role vrss_app createdb", "may create databases (CREATEDB)"],
    ["alter role vrss_app replication", "may replicate (REPLICATION)"],
    ["grant pg_execute_server_program to vrss_app", "is a member of pg_execute_server_program"],
    ["grant pg_read_server_files to vrss_app with inherit false", "is a member of pg_read_server_files"],
    ["grant pg_signal_backend to vrss_runtime", "is a member of pg_signal_backend"],
    [
      "grant set on parameter session_replication_role to vrss_app",
      "may switch triggers off (SET on session_replication_role)"
    ]
  ])("refuses after: %s", async (change, what) => {
    for (const production of [true, false]) {
      assert.deepStrictEqual(await problems("vrss_app", [change], production), [
        `The runtime role vrss_app ${what}: ${instead}.`
      ])
    }
  })

  test("refuses a role that may create temporary objects", async () => {
    const found = [
      `The runtime role vrss_app may create temporary objects: run 'revoke temporary on database ${database.name} ` +
      "from public, vrss_app' as the database's owner."
    ]
    for (const grantee of ["public", "vrss_app", "vrss_runtime"]) {
      const change = `grant temporary on database ${database.name} to ${grantee}`
      for (const production of [true, false]) {
        assert.deepStrictEqual(await problems("vrss_app", [change], production), found)
      }
    }
  })
})

describe("The guard of initial session settings", () => {
  test("refuses each setting that is not the service's, for a role, a database or both", async () => {
    const settings = [
      ["alter role vrss_app set role = vrss_runtime", "role", "role vrss_app"],
      ["alter role vrss_app set row_security = off", "row_security", "role vrss_app"],
      [
        "alter role vrss_app set default_transaction_isolation = 'repeatable read'",
        "default_transaction_isolation",
        "role vrss_app"
      ],
      ["alter role vrss_app set search_path = elsewhere, public", "search_path", "role vrss_app"],
      ["alter role vrss_app set local_preload_libraries = 'x'", "local_preload_libraries", "role vrss_app"],
      ["alter role all set session_preload_libraries = 'x'", "session_preload_libraries", "role all"],
      [
        `alter role vrss_app in database ${database.name} set "app.actor" = 'veteran'`,
        "app.actor",
        `role vrss_app in database ${database.name}`
      ],
      [`alter database ${database.name} set "app.veteran_id" = 'x'`, "app.veteran_id", `database ${database.name}`]
    ]
    const changes = settings.map(([change]) => change!)
    const found = await problems("vrss_app", changes)
    assert.sameMembers(
      [...found],
      settings.map(([, setting, of]) =>
        `Sessions of the service begin with a ${setting} that is not its own: run 'alter ${of} reset ${setting}'.`
      )
    )
    assert.deepStrictEqual(await problems("vrss_app", changes, false), [])
    assert.deepStrictEqual(await traces("vrss_app", changes), [])
  })

  const others = "alter role vrss_owner set search_path = elsewhere; alter database template1 set row_security = off"
  const documented = ["client_connection_check_interval = '2s'", "idle_in_transaction_session_timeout = '15s'",
    "statement_timeout = '30s'", "lock_timeout = '10s'"].map((setting) => `alter role vrss_app set ${setting}`)

  test("accepts the settings of docs/operator.md, and those of other roles", async () => {
    assert.deepStrictEqual(await problems("vrss_app", [others, ...documented]), [])
    assert.deepStrictEqual(await traces("vrss_app", [others, ...documented]), [])
  })

  test("accepts other settings and large objects, but reports both", async () => {
    const changes = [
      "alter role vrss_app set work_mem = '8MB'",
      "alter role vrss_app set timezone = 'Asia/Tokyo'",
      "select lo_create(0)",
      "set local role vrss_app",
      "select lo_from_bytea(0, 'x')",
      "select lo_create(0)",
      "reset role"
    ]
    assert.deepStrictEqual(await problems("vrss_app", changes), [])
    const told = await traces("vrss_app", changes)
    assert.deepStrictEqual(
      told.slice(0, 2),
      ["TimeZone", "work_mem"].map((name) =>
        `Sessions of the service begin with a ${name} that docs/operator.md does not name: ` +
        `run 'alter role vrss_app reset ${name}', unless you set it.`
      )
    )
    assert.match(told[2]!, /^The runtime role has 2 large objects, which the service never makes; all of this database/)
    assert.lengthOf(told, 3)
  })
})

const differs = (...objects: ReadonlyArray<string>) =>
  objects.map((object) => `The schema is not what the migrations make: the ${object}.`)

describe("The guard of the schema", () => {
  const changes: ReadonlyArray<readonly [change: string, difference: string]> = [
    ["create policy leak on documents using (true)", "policy leak on public.documents is added"],
    ["drop policy veteran_owns on documents", "policy veteran_owns on public.documents is missing"],
    ["alter policy backup_reads on documents to public", "policy backup_reads on public.documents is changed"],
    ["alter policy veteran_owns on documents using (true)", "policy veteran_owns on public.documents is changed"],
    [
      "alter table documents disable trigger signed_documents_stay",
      "trigger signed_documents_stay on public.documents is changed"
    ],
    [
      "alter table documents enable replica trigger signed_documents_stay",
      "trigger signed_documents_stay on public.documents is changed"
    ],
    [
      "drop trigger consent_grants_final on consent_grants",
      "trigger consent_grants_final on public.consent_grants is missing"
    ],
    ["create rule lost as on insert to outbox do instead nothing", "rule lost on public.outbox is added"],
    ["create view open as select * from documents", "rule \"_RETURN\" on public.open is added"],
    ["alter function app.linked_documents set search_path = ''", "function app.linked_documents() is changed"],
    ["alter function app.linked_documents security invoker", "function app.linked_documents() is changed"],
    ["alter function app.linked_documents owner to postgres", "function app.linked_documents() is changed"],
    ["alter function app.actor leakproof", "function app.actor() is changed"],
    [
      "create or replace function app.actor() returns text language sql stable parallel safe as $$ select 'veteran' $$",
      "function app.actor() is changed"
    ],
    [
      "create or replace function app.actor() returns text language sql stable parallel safe return 'veteran'::text",
      "function app.actor() is changed"
    ],
    [
      "grant update on consent_grants to vrss_runtime",
      "right of vrss_runtime to the table public.consent_grants is changed"
    ],
    ["grant truncate on outbox to vrss_app", "right of vrss_app to the table public.outbox is added"],
    ["grant select on secure_link_otps to public", "right of PUBLIC to the table public.secure_link_otps is added"],
    ["grant delete on documents to vrss_backup", "right of vrss_backup to the table public.documents is changed"],
    [
      "grant update (wrong_codes) on secure_links to vrss_runtime",
      "right of vrss_runtime to the column public.secure_links.wrong_codes is added"
    ],
    ["grant create on schema app to vrss_runtime", "right of vrss_runtime to the schema app is changed"],
    ["grant create on schema public to public", "right of PUBLIC to the schema public is changed"],
    [
      "grant execute on function app.lock_link to vrss_runtime",
      "right of vrss_runtime to the function app.lock_link(bytea) is added"
    ],
    [
      "revoke execute on function app.take_message from vrss_runtime",
      "right of vrss_runtime to the function app.take_message(text[]) is missing"
    ]
  ]
  const objectOf = (difference: string) => difference.replace(/ is \w+$/, "")

  /** The changes that are made together: each object is in a round at most once. */
  const rounds = Map.groupBy(changes, ([, difference], index) => {
    const before = changes.slice(0, index).filter(([, other]) => objectOf(other) === objectOf(difference))
    return before.length + 1
  })

  test.each([...rounds])("refuses each of many changes in production: round %s", async (_, made) => {
    const statements = made.map(([change]) => change)
    assert.sameMembers(
      [...await problems("vrss_app", statements)],
      differs(...made.map(([, difference]) => difference))
    )
    assert.deepStrictEqual(await problems("vrss_app", statements, false), [])
  })

  test("refuses a table whose triggers are all disabled, including those of its foreign keys", async () => {
    const found = await problems("vrss_app", ["alter table secure_links disable trigger all"])
    const own = ["secure_links_ended", "secure_links_final"].map((name) =>
      `trigger ${name} on public.secure_links is changed`
    )
    assert.includeMembers([...found], differs(...own))
    assert.match(found.join("\n"), /the trigger "RI_ConstraintTrigger_c_\d+" on public\.secure_links is added/)
  })

  test("refuses a function in public that runs as its owner", async () => {
    const create = "create function open() returns int security definer language sql as 'select 1'"
    assert.deepStrictEqual(
      await problems("vrss_app", [create]),
      differs("function public.open() is added", "right of PUBLIC to the function public.open() is added")
    )
  })

  test("refuses a schema that lacks a migration, and accepts any schema that has a newer migration", async () => {
    const remove = "delete from schema_migrations where name = '015_secure_link_steps.sql'"
    assert.deepStrictEqual(await problems("vrss_app", [remove]), [
      "The migration 015_secure_link_steps.sql is not applied: apply the migrations."
    ])
    const newer = "insert into schema_migrations (name, sha256) values ('999_newer.sql', 'x')"
    const policy = "create policy newer on documents using (true)"
    assert.deepStrictEqual(await problems("vrss_app", [newer, policy]), [])
  })
})
