import { Effect } from "effect"
import { hash, randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test as alone } from "vitest"
import { readMigrations } from "../src/sql/MigrationFiles.ts"
import { openFolder } from "./support/App.ts"
import { test, two } from "./support/MigrateProgram.ts"

describe("migrate", () => {
  test(
    "lists the pending files and writes nothing, applies each once, and knows a role that may only read",
    two,
    async (p) => {
      const count = "select count(*)::int as n from pg_class"
      const before = await p.sql(count)
      // DATABASE_URL is used if MIGRATION_DATABASE_URL is unset.
      const unset = { MIGRATION_DATABASE_URL: undefined, DATABASE_URL: p.url() }
      const listed = await p.runWith(["--list-pending"], unset)
      assert.deepStrictEqual([listed.code, listed.stdout, listed.stderr], [0, "001_a.sql\n002_b.sql\n", ""])
      assert.deepStrictEqual(await p.sql(count), before)

      const reader = `reader_${randomUUID().slice(0, 8)}`
      await p.asSuperuser(`create role ${reader} login password 'reading'`)
      await p.asSuperuser(`alter role ${reader} set default_transaction_read_only = on`)
      const url = p.url({ username: reader, password: "reading" })
      const list = () => p.runWith(["--list-pending"], { MIGRATION_DATABASE_URL: url })
      assert.strictEqual((await list()).stdout, "001_a.sql\n002_b.sql\n")
      const refused = await p.runWith([], { MIGRATION_DATABASE_URL: url })
      assert.deepInclude(refused, { code: 1, stdout: "" })
      assert.include(refused.stderr, "SQLSTATE")

      const first = await p.start([]).outcome
      assert.deepInclude(first, { code: 0, stdout: "001_a.sql\n002_b.sql\n" })
      assert.match(first.stderr, /^applied 001_a\.sql in \d+ ms\napplied 002_b\.sql in \d+ ms\n$/)
      const recorded = "select name, sha256, applied_at <= now() as past from schema_migrations order by name limit 1"
      assert.deepStrictEqual(await p.sql(recorded), [
        { name: "001_a.sql", sha256: hash("sha256", two["001_a.sql"]), past: true }
      ])
      assert.deepInclude(await p.run(), { code: 0, stdout: "", stderr: "none pending\n" })
      assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "", stderr: "none pending\n" })
      assert.deepStrictEqual(await p.tables(), ["a", "b"])

      assert.include((await list()).stderr, "permission denied for table schema_migrations")
      await p.sql(`grant select on schema_migrations to ${reader}`)
      // A file with a lower number that is added later is pending, and 1000 comes after 999.
      await p.writeAll({
        "1000_z.sql": "create table z as table y",
        "999_y.sql": "create table y ()",
        "000_late.sql": ""
      })
      const names = "000_late.sql\n999_y.sql\n1000_z.sql\n"
      assert.strictEqual((await list()).stdout, names)
      assert.deepInclude(await p.run(), { code: 0, stdout: names })
      await p.sql(`revoke select on schema_migrations from ${reader}`)
      await p.asSuperuser(`drop role ${reader}`)
    }
  )

  test("runs functions, quoted semicolons and comments unchanged, and the effect of a SET ends with its file", {
    // The file begins with a byte order mark.
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
    "002_empty.sql": "",
    "003_set.sql": `create role inner_role; grant inner_role to current_user;
set role inner_role; set search_path = pg_catalog; set lock_timeout = 0; set row_security = on`,
    "004_b.sql": `create table b as select current_user::text as who,
current_setting('lock_timeout') as wait, current_setting('row_security') as rows`
  }, async (p) => {
    const stdout = "001_a.sql\n002_empty.sql\n003_set.sql\n004_b.sql\n"
    assert.deepInclude(await p.run(), { code: 0, stdout })
    assert.deepStrictEqual(await p.sql("select count(*)::int as n, max(more) as more, min(note) as note from a"), [
      { n: 4, more: 2, note: "semi;colon -- no comment $$" }
    ])
    assert.deepStrictEqual(await p.sql("select * from public.b"), [{ who: "vrss_owner", wait: "1s", rows: "off" }])
    await p.sql("drop role inner_role")
  })

  test("--help shows the exit codes, and an empty folder is an error", {}, async (p) => {
    const outcome = await p.start(["--help"], { MIGRATION_DATABASE_URL: undefined }).outcome
    assert.deepInclude(outcome, { code: 0, stderr: "" })
    for (const words of ["--list-pending", "--expect", "exit 0 or 2 without applying"]) {
      assert.include(outcome.stdout, words)
    }
    assert.deepInclude(await p.run("--list-pending"), { code: 1, stdout: "" })
  })

  // Both commands read the folder by this function, before they open a connection.
  alone("files that are not UTF-8 and a missing folder are errors", async () => {
    const directory = join(await openFolder(), "migrations")
    const message = () => Effect.runPromise(Effect.flip(readMigrations(directory))).then(({ message }) => message)
    assert.include(await message(), "ENOENT")
    await Fs.mkdir(directory)
    for (const bytes of [Uint8Array.of(0x2d, 0x2d, 0xff), Uint8Array.from(Buffer.from("select 1\0; drop table a"))]) {
      await Fs.writeFile(join(directory, "001_a.sql"), bytes)
      assert.include(await message(), "001_a.sql, which is not UTF-8 text")
    }
  })
})
