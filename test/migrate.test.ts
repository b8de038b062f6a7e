import { hash, randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { assert, describe } from "vitest"
import { test, two } from "./support/MigrateProgram.ts"

describe("migrate", () => {
  test("lists the files on an empty database and writes nothing", two, async (p) => {
    const count = "select count(*)::int as n from pg_class"
    const before = await p.sql(count)
    const listed = await p.run("--list-pending")
    assert.deepStrictEqual([listed.code, listed.stdout, listed.stderr], [0, "001_a.sql\n002_b.sql\n", ""])
    assert.deepStrictEqual(await p.sql(count), before)
  })

  test("lists the files as a role that may only read", two, async (p) => {
    const reader = `reader_${randomUUID().slice(0, 8)}`
    await p.asSuperuser(`create role ${reader} login password 'reading'`)
    await p.asSuperuser(`alter role ${reader} set default_transaction_read_only = on`)
    const url = p.url({ username: reader, password: "reading" })
    const list = () => p.start(["--list-pending"], { MIGRATION_DATABASE_URL: url }).outcome
    assert.strictEqual((await list()).stdout, "001_a.sql\n002_b.sql\n")
    const applied = await p.start([], { MIGRATION_DATABASE_URL: url }).outcome
    assert.deepInclude(applied, { code: 1, stdout: "" })
    assert.include(applied.stderr, "SQLSTATE")

    await p.run()
    assert.include((await list()).stderr, "permission denied for table schema_migrations")
    await p.sql(`grant select on schema_migrations to ${reader}`)
    await p.write("003_c.sql", "create table c ()")
    assert.strictEqual((await list()).stdout, "003_c.sql\n")
    await p.sql(`revoke select on schema_migrations from ${reader}`)
    await p.asSuperuser(`drop role ${reader}`)
  })

  test("applies every file once, and then none is pending", two, async (p) => {
    const first = await p.run()
    assert.deepInclude(first, { code: 0, stdout: "001_a.sql\n002_b.sql\n" })
    assert.match(first.stderr, /^applied 001_a\.sql in \d+ ms\napplied 002_b\.sql in \d+ ms\n$/)
    const recorded = "select name, sha256, applied_at <= now() as past from schema_migrations order by name limit 1"
    assert.deepStrictEqual(await p.sql(recorded), [
      { name: "001_a.sql", sha256: hash("sha256", two["001_a.sql"]), past: true }
    ])
    assert.deepInclude(await p.run(), { code: 0, stdout: "", stderr: "none pending\n" })
    assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "", stderr: "none pending\n" })
    assert.deepStrictEqual(await p.tables(), ["a", "b"])
  })

  test("a file with a lower number that is added later is pending, and 1000 comes after 999", two, async (p) => {
    await p.run()
    await p.writeAll({ "1000_z.sql": "create table z as table y", "999_y.sql": "create table y ()" })
    await p.write("000_late.sql", "")
    const names = "000_late.sql\n999_y.sql\n1000_z.sql\n"
    assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: names })
    assert.deepInclude(await p.run(), { code: 0, stdout: names })
  })

  test("runs functions, quoted semicolons and comments unchanged, and accepts a byte order mark", {
    "001_a.sql": `\uFEFF-- one; two; $$ three
/* four; /* five; */ */
create table a (id int, note text default 'semi;colon -- no comment $$');
create function f(x int) returns int language plpgsql as $body$
begin
  -- commit;
  execute $$ insert into a (id) values (1); insert into a (id) values (2) $$;
  return x + 1; -- ö; 😀
end $body$;
create function g() returns int language sql begin atomic select 1; select 2; end;
do $$ begin perform f(1); end $$;
alter table a add column more int;
update a set more = f(1) where id = 1;
create index on a (more);
-- last; without a line end`,
    "002_empty.sql": ""
  }, async (p) => {
    assert.deepInclude(await p.run(), { code: 0, stdout: "001_a.sql\n002_empty.sql\n" })
    assert.deepStrictEqual(await p.sql("select count(*)::int as n, max(more) as more, min(note) as note from a"), [
      { n: 4, more: 2, note: "semi;colon -- no comment $$" }
    ])
  })

  test("the effect of a SET ends with its file", {
    "001_a.sql": `create role inner_role; grant inner_role to current_user;
set role inner_role; set search_path = pg_catalog; set lock_timeout = 0; set row_security = on`,
    "002_b.sql": `create table b as select current_user::text as who,
current_setting('lock_timeout') as wait, current_setting('row_security') as rows`
  }, async (p) => {
    assert.deepInclude(await p.run(), { code: 0 })
    assert.deepStrictEqual(await p.sql("select * from public.b"), [{ who: "vrss_owner", wait: "1s", rows: "off" }])
    await p.sql("drop role inner_role")
  })

  test("files that are not UTF-8, an empty folder and a missing folder are errors", {}, async (p) => {
    assert.deepInclude(await p.run("--list-pending"), { code: 1, stdout: "" })
    for (const bytes of [Uint8Array.of(0x2d, 0x2d, 0xff), Uint8Array.from(Buffer.from("select 1\0; drop table a"))]) {
      await p.write("001_a.sql", bytes)
      const outcome = await p.run()
      assert.deepInclude(outcome, { code: 1, stdout: "" })
      assert.include(outcome.stderr, "001_a.sql, which is not UTF-8 text")
    }
    await Fs.rm(p.directory, { recursive: true })
    assert.include((await p.run("--list-pending")).stderr, "ENOENT")
  })

  test("DATABASE_URL is used if MIGRATION_DATABASE_URL is unset", two, async (p) => {
    const environment = { MIGRATION_DATABASE_URL: undefined, DATABASE_URL: p.url() }
    const outcome = await p.start(["--list-pending"], environment).outcome
    assert.deepInclude(outcome, { code: 0, stdout: "001_a.sql\n002_b.sql\n" })
  })

  test("--help shows the exit codes and touches nothing", two, async (p) => {
    const outcome = await p.start(["--help"], { MIGRATION_DATABASE_URL: undefined }).outcome
    assert.deepInclude(outcome, { code: 0, stderr: "" })
    for (const words of ["--list-pending", "--expect", "exit 0 or 2 without applying"]) {
      assert.include(outcome.stdout, words)
    }
  })
})
