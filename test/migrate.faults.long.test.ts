import { createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe } from "vitest"
import { lockKey } from "../src/sql/Migrations.ts"
import { type Project, test, two } from "./support/MigrateProgram.ts"
import { until } from "./support/Until.ts"

const sleepers = "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"

const sleeping = (p: Project) =>
  until("the file is running", async () => (await p.sql(`select pid ${sleepers}`)).length === 1)

const lockIsFree = (p: Project) =>
  until("the advisory lock is free", async () => {
    const [row] = await p.sql(`select pg_try_advisory_xact_lock(${lockKey}) as free`)
    return row["free"] === true
  })

describe("migrate", () => {
  test("applies no file if an applied file was edited", two, async (p) => {
    await p.run()
    await p.writeAll({ "001_a.sql": "create table a (id int);\r\n", "003_c.sql": "create table c ()" })
    const outcome = await p.run("--expect", "003_c.sql")
    assert.deepInclude(outcome, { code: 1, stdout: "" })
    assert.include(outcome.stderr, "001_a.sql")
    assert.deepStrictEqual(await p.tables(), ["a", "b"])
  })

  test("a failing statement rolls its whole file back and keeps the files before it", {
    ...two,
    "002_b.sql": `-- ${
      "😀".repeat(40)
    }\ncreate table b (id int);\r\n\n  insert into b\n  select nope from a;\nselect 1`,
    "003_c.sql": "create table c ()"
  }, async (p) => {
    const outcome = await p.run()
    assert.deepInclude(outcome, { code: 1, stdout: "001_a.sql\n" })
    const message = "002_b.sql:5: column \"nope\" does not exist (SQLSTATE 42703); the file was rolled back whole.\n"
    assert.strictEqual(outcome.stderr.split("ms\n")[1], message)
    assert.deepStrictEqual(await p.tables(), ["a"])
    assert.deepStrictEqual(await p.applied(), ["001_a.sql"])
    assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "002_b.sql\n003_c.sql\n" })
  })

  test("a deferred constraint that fails at commit names the file", {
    "001_a.sql": `create table a (id int primary key);
create table b (a int references a deferrable initially deferred);
insert into b values (1)`
  }, async (p) => {
    const outcome = await p.run()
    assert.deepInclude(outcome, { code: 1, stdout: "" })
    assert.match(outcome.stderr, /^001_a\.sql: .*foreign key.*SQLSTATE 23503/)
    assert.deepStrictEqual(await p.tables(), [])
  })

  for (
    const [label, statement] of [
      ["commit", "commit"],
      ["end", "end"],
      ["rollback", "rollback"],
      ["begin", "begin"],
      ["savepoint", "savepoint s"],
      ["commit in a block", "do $$ begin commit; end $$"],
      ["rollback and begin", "rollback; begin"]
    ] as const
  ) {
    test(`a file cannot leave its transaction: ${label}`, {
      "001_a.sql": `create table a ();\n${statement};\ncreate table b ();\n`
    }, async (p) => {
      const outcome = await p.run()
      assert.deepInclude(outcome, { code: 1, stdout: "" })
      assert.match(outcome.stderr, /^001_a\.sql: .*a file is one transaction and may not begin or end one itself/)
      assert.deepStrictEqual(await p.tables(), [])
    })
  }

  test("the owner's statement fails if a policy of FORCE ROW LEVEL SECURITY would filter its rows", {
    "001_a.sql": `create table a (id int, note text); insert into a values (1, 'old');
alter table a enable row level security; alter table a force row level security;
create policy own on a using (current_setting('app.veteran_id', true) = 'x');`,
    "002_b.sql": "\nupdate a set note = 'new'"
  }, async (p) => {
    const outcome = await p.run()
    assert.deepInclude(outcome, { code: 1, stdout: "001_a.sql\n" })
    assert.match(outcome.stderr, /002_b\.sql: query would be affected by row-level security policy .*SQLSTATE 42501/)
    const [open, close] = ["alter table a no force row level security", "alter table a force row level security"]
    await p.write("002_b.sql", `${open}; update a set note = 'new'; ${close}`)
    assert.deepInclude(await p.run(), { code: 0, stdout: "002_b.sql\n" })
    assert.deepStrictEqual(await p.asSuperuser("select note from a"), [{ note: "new" }])
  })

  for (
    const [label, statement, sqlState] of [
      ["a unique violation's detail", "create unique index on a (note)", "23505"],
      ["a failed cast's message", "select note::int from a", "22P02"],
      ["a check violation's row", "alter table a add check (length(note) < 3)", "23514"]
    ] as const
  ) {
    test(`an error message contains no data of a row: ${label}`, {
      "001_a.sql": "create table a (note text); insert into a values ('diabetes'), ('diabetes')",
      "002_b.sql": statement
    }, async (p) => {
      const outcome = await p.run()
      assert.strictEqual(outcome.code, 1)
      assert.include(outcome.stderr, `SQLSTATE ${sqlState}`)
      assert.notInclude(outcome.stderr, "diabetes")
    })
  }

  test("a wrong value in the file itself is named with its line", {
    "001_a.sql": "create table a (id int);\ninsert into a values ('one')"
  }, async (p) => {
    assert.include((await p.run()).stderr, "001_a.sql:2: invalid input syntax for type integer: \"one\"")
  })

  test("one of two parallel runs applies the files, and the other says that it found the lock held", {
    "001_a.sql": "create table a (); select pg_sleep(4)"
  }, async (p) => {
    const outcomes = await Promise.all([p.run(), p.run()])
    const [won, lost] = outcomes.sort((a, b) => Number(a.code) - Number(b.code))
    assert.deepInclude(won, { code: 0, stdout: "001_a.sql\n" })
    assert.deepInclude(lost, { code: 1, stdout: "" })
    assert.strictEqual(lost?.stderr, "Another run holds the migration lock of this database; nothing was applied.\n")
  })

  test("while the migration lock is held elsewhere, applying fails immediately and listing works", two, async (p) => {
    const holder = await p.session()
    await holder.query("select pg_advisory_lock($1)", [lockKey])
    assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "001_a.sql\n002_b.sql\n" })
    assert.deepInclude(await p.run("--expect", "001_a.sql,002_b.sql"), { code: 1, stdout: "" })
    await holder.end()
    assert.deepInclude(await p.run("--expect", "001_a.sql,002_b.sql"), { code: 0 })
  })

  const altering = {
    "001_b.sql": "create table b ()",
    "002_c.sql": "create table c (); alter table a add column more int"
  }
  const reading = async (p: Project) => {
    const holder = await p.session()
    await holder.query("create table a (id int)")
    await holder.query("begin; lock table a in access share mode")
    return holder
  }

  test("a file tries 5 times to lock a locked table, and readers get through in between", altering, async (p) => {
    const holder = await reading(p)
    const reader = await p.session()
    const running = p.start([])
    let reads = 0
    for (; running.child.exitCode === null; reads++) {
      await reader.query("select * from a")
      await sleep(10)
    }
    const outcome = await running.outcome
    await Promise.all([holder.end(), reader.end()])
    assert.deepInclude(outcome, { code: 1, stdout: "001_b.sql\n" })
    assert.match(outcome.stderr, /002_c\.sql: canceling statement due to lock timeout \(SQLSTATE 55P03\) after 5 tries/)
    // Readers queue behind a waiting ALTER TABLE, so these reads ran between its tries.
    assert.isAbove(reads, 1)
    assert.deepStrictEqual(await p.tables(), ["a", "b"])
  })

  test("a table lock that is released between two tries lets the file through", altering, async (p) => {
    const holder = await reading(p)
    const running = p.start([])
    await until("the file waits for its lock", async () => {
      const waiting = await p.sql("select from pg_locks where relation = 'a'::regclass and not granted")
      return waiting.length === 1
    })
    await sleep(1500)
    await holder.end()
    assert.deepInclude(await running.outcome, { code: 0, stdout: "001_b.sql\n002_c.sql\n" })
    assert.deepStrictEqual(await p.tables(), ["a", "b", "c"])
  })

  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    test(`${signal} in the middle of a file leaves nothing of it, and a rerun works`, {
      ...two,
      "002_b.sql": "create table b (); select pg_sleep(60)"
    }, async (p) => {
      const running = p.start([])
      await sleeping(p)
      running.child.kill(signal)
      const outcome = await running.outcome
      assert.deepInclude(outcome, { code: signal === "SIGKILL" ? null : 130, stdout: "001_a.sql\n" })
      await lockIsFree(p)
      assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "002_b.sql\n" })
      await p.write("002_b.sql", "create table b ()")
      assert.deepInclude(await p.run(), { code: 0, stdout: "002_b.sql\n" })
      assert.deepStrictEqual(await p.tables(), ["a", "b"])
    })
  }

  test("a connection that is cut in the middle of a file is a failure", {
    ...two,
    "002_b.sql": "create table b (); select pg_sleep(60)"
  }, async (p) => {
    const running = p.start([])
    await sleeping(p)
    await p.asSuperuser(`select pg_terminate_backend(pid) ${sleepers}`)
    const outcome = await running.outcome
    assert.deepInclude(outcome, { code: 1, stdout: "001_a.sql\n" })
    assert.include(outcome.stderr, "57P01")
    assert.deepStrictEqual(await p.tables(), ["a"])
  })

  test("connects by TLS and verifies the certificate", {
    "001_a.sql": "create table seen as select ssl, version from pg_stat_ssl where pid = pg_backend_pid()"
  }, async (p) => {
    const unverified = await p.runWith([], { APP_ENV: "production", DATABASE_CA_CERT: undefined })
    assert.deepInclude(unverified, { code: 1, stdout: "" })
    assert.include(unverified.stderr, "SELF_SIGNED_CERT")
    assert.deepInclude(await p.run(), { code: 0 })
    assert.deepStrictEqual(await p.sql("select * from seen"), [{ ssl: true, version: "TLSv1.3" }])
  })

  test("no message holds the password or the URL", two, async (p) => {
    const plain = createServer((socket) => void socket.once("data", () => socket.write("N")))
    const port = await new Promise<number>((listening) => {
      plain.listen(0, "localhost", () => listening((plain.address() as { readonly port: number }).port))
    })
    const change = (parts: Partial<URL>) => p.url({ password: "hunter2geheim", ...parts })
    for (
      const [url, says] of [
        [change({}), "password authentication failed"],
        [change({ port: "1" }), "ECONNREFUSED"],
        [change({ hostname: "hunter2geheim.invalid" }), "ENOTFOUND"],
        [change({ port: `${port}` }), "the server offers no TLS"],
        [p.url({ pathname: "/nowhere" }), "does not exist"]
      ] as const
    ) {
      for (const args of [[], ["--list-pending"]]) {
        const outcome = await p.runWith(args, { MIGRATION_DATABASE_URL: url })
        assert.deepInclude(outcome, { code: 1, stdout: "" })
        assert.match(outcome.stderr, /^No database connection: [^\n]*\n$/)
        assert.include(outcome.stderr, says)
        for (const secret of ["hunter2", new URL(p.url()).password, "postgres:"]) {
          assert.notInclude(outcome.stderr, secret)
        }
      }
    }
    plain.close()
    for (const url of ["hunter2geheim", change({ password: "hunter2%zz" })]) {
      const outcome = await p.runWith([], { MIGRATION_DATABASE_URL: url })
      assert.strictEqual(outcome.code, 1)
      assert.notInclude(outcome.stdout + outcome.stderr, "hunter2")
    }
  })
})
