import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { hash, randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { EmbeddedPostgres } from "../src/layers/EmbeddedPostgres.ts"
import { lockKey } from "../src/services/Migrations.ts"

const program = fileURLToPath(new URL("../src/migrate.ts", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.promise(() => Fs.mkdtemp(join(tmpdir(), "migrate-test-"))),
  (path) => Effect.promise(() => Fs.rm(path, { recursive: true, force: true }))
)
const Cluster = Layer.unwrap(Effect.map(folder, EmbeddedPostgres.layer))

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly milliseconds: number
}

/** A database of its own with a migration folder, and the real program run against both. */
const project = Effect.fnUntraced(function*(files: Record<string, string>) {
  const { caCertificate, ownerUrl, superuserUrl } = yield* EmbeddedPostgres
  const root = yield* folder
  const directory = join(root, "migrations")
  const caFile = join(root, "ca.pem")
  const database = `migrate_${randomUUID().replaceAll("-", "")}`
  const to = (url: string, name = database) => Object.assign(new URL(url), { pathname: `/${name}`, search: "" }).href
  const url = to(ownerUrl)

  const open = async (connectionString: string) => {
    const client = new pg.Client({ connectionString, ssl: { ca: caCertificate } })
    client.on("error", () => {})
    await client.connect()
    return client
  }
  const once = async (connectionString: string, text: string) => {
    const client = await open(connectionString)
    return await client.query(text).then(({ rows }) => rows).finally(() => client.end())
  }
  const above = (text: string) => once(to(superuserUrl, "postgres"), text)

  const write = (name: string, text: string | Uint8Array) => Fs.writeFile(join(directory, name), text)
  const writeAll = async (all: Record<string, string>) => {
    for (const [name, text] of Object.entries(all)) await write(name, text)
  }
  const start = (args: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) => {
    const began = performance.now()
    const child = spawn(process.execPath, [program, "--directory", directory, ...args], {
      env: { PATH: process.env["PATH"], MIGRATION_DATABASE_URL: url, DATABASE_CA_CERT: caFile, ...environment }
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text)
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text)
    const outcome = new Promise<Outcome>((ended) => {
      child.on("close", (code) => ended({ code, stdout, stderr, milliseconds: performance.now() - began }))
    })
    return { child, outcome }
  }
  const run = (...args: ReadonlyArray<string>) => start(args).outcome

  yield* Effect.promise(async () => {
    await Fs.mkdir(directory)
    await Fs.writeFile(caFile, caCertificate)
    await writeAll(files)
    await above(`create database ${database} owner vrss_owner`)
  })
  yield* Effect.addFinalizer(() => Effect.promise(() => above(`drop database ${database} with (force)`)))
  return {
    ...{ above, asSuperuser: to(superuserUrl), directory, once, run, start, to, url, write, writeAll },
    session: () => open(url),
    sql: (text: string) => once(url, text),
    tables: async () => {
      const rows = await once(url, "select tablename from pg_tables where schemaname = 'public' order by 1")
      return rows.map((row) => String(row["tablename"])).filter((name) => name !== "schema_migrations")
    },
    applied: async () => {
      const rows = await once(url, "select name from schema_migrations order by name")
      return rows.map((row) => String(row["name"]))
    }
  }
})

type Project = Effect.Success<ReturnType<typeof project>>

const two = { "001_a.sql": "create table a (id int);\n", "002_b.sql": "create table b (id int);\n" }

const until = async (what: string, holds: () => Promise<boolean>) => {
  const began = performance.now()
  while (!await holds()) {
    assert.isBelow(performance.now() - began, 15_000, `still not so: ${what}`)
    await sleep(50)
  }
  return performance.now() - began
}

const sleepers = "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
const sleeping = (p: Project) =>
  until("the file is running", async () => (await p.sql(`select pid ${sleepers}`)).length === 1)

const lockIsFree = (p: Project) =>
  until("the advisory lock is free", async () => {
    const [row] = await p.sql(`select pg_try_advisory_lock(${lockKey}) as free`)
    return row["free"] === true
  })

layer(Cluster, { timeout: "60 seconds", excludeTestServices: true, concurrent: true })("migrate", (it) => {
  const test = (name: string, files: Record<string, string>, run: (p: Project) => Promise<void>) =>
    it.effect(name, () => Effect.flatMap(project(files), (p) => Effect.promise(() => run(p))), 60_000)

  test("lists on an empty database, writing nothing", two, async (p) => {
    const count = "select count(*)::int as n from pg_class"
    const before = await p.sql(count)
    const listed = await p.run("--list-pending")
    assert.deepStrictEqual([listed.code, listed.stdout, listed.stderr], [0, "001_a.sql\n002_b.sql\n", ""])
    assert.deepStrictEqual(await p.sql(count), before)
  })

  test("lists as a role that may only read", two, async (p) => {
    const reader = `reader_${randomUUID().slice(0, 8)}`
    await p.above(`create role ${reader} login password 'reading'`)
    await p.above(`alter role ${reader} set default_transaction_read_only = on`)
    const url = Object.assign(new URL(p.url), { username: reader, password: "reading" }).href
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
    await p.above(`drop role ${reader}`)
  })

  test("applies everything once, then none is pending", two, async (p) => {
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

  test("a late lower number is pending, and 1000 comes after 999", two, async (p) => {
    await p.run()
    await p.writeAll({ "1000_z.sql": "create table z as table y", "999_y.sql": "create table y ()" })
    await p.write("000_late.sql", "")
    const names = "000_late.sql\n999_y.sql\n1000_z.sql\n"
    assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: names })
    assert.deepInclude(await p.run(), { code: 0, stdout: names })
  })

  const both = "001_a.sql,002_b.sql"
  for (
    const { code, expect, label, lists, says } of [
      { label: "exact", expect: both, code: 0, says: "" },
      { label: "reordered", expect: "002_b.sql,001_a.sql", code: 0, says: "" },
      { label: "duplicate", expect: `${both},001_a.sql`, code: 0, says: "" },
      { label: "blanks", expect: " 001_a.sql , 002_b.sql ,", code: 0, says: "" },
      { label: "one missing", expect: "001_a.sql", code: 2, says: "Pending but not expected: 002_b.sql." },
      { label: "one extra", expect: `${both},003_c.sql`, code: 2, says: "Expected but not pending: 003_c.sql." },
      { label: "empty", expect: "", code: 2, says: "Pending but not expected: 001_a.sql, 002_b.sql." },
      { label: "exact, list only", expect: both, code: 0, says: "", lists: true },
      { label: "other, list only", expect: "002_b.sql", code: 2, says: "not expected: 001_a.sql.", lists: true }
    ]
  ) {
    test(`--expect ${label}: exit ${code}`, two, async (p) => {
      const outcome = await p.run("--expect", expect, ...(lists === true ? ["--list-pending"] : []))
      assert.strictEqual(outcome.code, code)
      assert.include(outcome.stderr, says)
      assert.strictEqual(outcome.stdout, code === 0 || lists === true ? "001_a.sql\n002_b.sql\n" : "")
      assert.deepStrictEqual(await p.tables(), code === 0 && lists !== true ? ["a", "b"] : [])
    })
  }

  test("--expect \"\" when none is pending: exit 0; a name then: exit 2", two, async (p) => {
    await p.run()
    assert.deepInclude(await p.run("--expect", ""), { code: 0, stdout: "", stderr: "none pending\n" })
    assert.deepInclude(await p.run("--expect", "001_a.sql"), { code: 2, stdout: "" })
  })

  for (const args of [["--expcet", both], ["--expect", "001_a.sql,", "002_b.sql"], ["--expect"], ["001_a.sql"]]) {
    test(`a mistaken command line applies nothing: ${args.join(" ")}`, two, async (p) => {
      const outcome = await p.run(...args)
      assert.deepInclude(outcome, { code: 1, stdout: "" })
      assert.include(outcome.stderr, "See migrate --help.")
      assert.deepStrictEqual(await p.tables(), [])
    })
  }

  test("an edited applied file stops everything", two, async (p) => {
    await p.run()
    await p.writeAll({ "001_a.sql": "create table a (id int);\r\n", "003_c.sql": "create table c ()" })
    const outcome = await p.run("--expect", "003_c.sql")
    assert.deepInclude(outcome, { code: 1, stdout: "" })
    assert.include(outcome.stderr, "001_a.sql")
    assert.deepStrictEqual(await p.tables(), ["a", "b"])
  })

  test("a failing statement rolls its file back whole and keeps the ones before", {
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
      ["commit prepared for later", "rollback; begin"]
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

  test("runs functions, quoted semicolons and comments as they are, and a byte order mark", {
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

  test("what a file SETs ends with it", {
    "001_a.sql": `create role inner_role; grant inner_role to current_user;
set role inner_role; set search_path = pg_catalog; set lock_timeout = 0; set row_security = on`,
    "002_b.sql": `create table b as select current_user::text as who,
current_setting('lock_timeout') as wait, current_setting('row_security') as rows`
  }, async (p) => {
    assert.deepInclude(await p.run(), { code: 0 })
    assert.deepStrictEqual(await p.sql("select * from public.b"), [{ who: "vrss_owner", wait: "1s", rows: "off" }])
    await p.sql("drop role inner_role")
  })

  test("an owner's statement that a FORCEd policy would filter fails", {
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
    assert.deepStrictEqual(await p.once(p.asSuperuser, "select note from a"), [{ note: "new" }])
  })

  for (
    const [label, statement, sqlState] of [
      ["a unique violation's detail", "create unique index on a (note)", "23505"],
      ["a failed cast's sentence", "select note::int from a", "22P02"],
      ["a check violation's row", "alter table a add check (length(note) < 3)", "23514"]
    ] as const
  ) {
    test(`a message holds no row: ${label}`, {
      "001_a.sql": "create table a (note text); insert into a values ('diabetes'), ('diabetes')",
      "002_b.sql": statement
    }, async (p) => {
      const outcome = await p.run()
      assert.strictEqual(outcome.code, 1)
      assert.include(outcome.stderr, `SQLSTATE ${sqlState}`)
      assert.notInclude(outcome.stderr, "diabetes")
    })
  }

  test("a value that stands in the file itself is named with its line", {
    "001_a.sql": "create table a (id int);\ninsert into a values ('one')"
  }, async (p) => {
    assert.include((await p.run()).stderr, "001_a.sql:2: invalid input syntax for type integer: \"one\"")
  })

  test("of two runs at once one applies and the other says locked", {
    "001_a.sql": "create table a (); select pg_sleep(4)"
  }, async (p) => {
    const outcomes = await Promise.all([p.run(), p.run()])
    const [won, lost] = outcomes.sort((a, b) => Number(a.code) - Number(b.code))
    assert.deepInclude(won, { code: 0, stdout: "001_a.sql\n" })
    assert.deepInclude(lost, { code: 1, stdout: "" })
    assert.strictEqual(lost?.stderr, "Another run holds the migration lock of this database; nothing was applied.\n")
  })

  test("the lock held elsewhere stops apply at once and listing never", two, async (p) => {
    const holder = await p.session()
    await holder.query("select pg_advisory_lock($1)", [lockKey])
    assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "001_a.sql\n002_b.sql\n" })
    assert.deepInclude(await p.run("--expect", both), { code: 1, stdout: "" })
    await holder.end()
    assert.deepInclude(await p.run("--expect", both), { code: 0 })
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

  test("a table lock that stays is waited for 5 times 1 s, and readers wait at most 2 s", altering, async (p) => {
    const holder = await reading(p)
    const reader = await p.session()
    const running = p.start([])
    let slowest = 0
    while (running.child.exitCode === null) {
      const began = performance.now()
      await reader.query("select * from a")
      slowest = Math.max(slowest, performance.now() - began)
      await sleep(10)
    }
    const outcome = await running.outcome
    await Promise.all([holder.end(), reader.end()])
    assert.deepInclude(outcome, { code: 1, stdout: "001_b.sql\n" })
    assert.match(outcome.stderr, /002_c\.sql: canceling statement due to lock timeout \(SQLSTATE 55P03\) after 5 tries/)
    assert.isAbove(outcome.milliseconds, 9000)
    assert.isBelow(outcome.milliseconds, 15_000)
    assert.isAbove(slowest, 500)
    assert.isBelow(slowest, 2000)
    assert.deepStrictEqual(await p.tables(), ["a", "b"])
  })

  test("a table lock released between tries lets the file through", altering, async (p) => {
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
      assert.isBelow(await lockIsFree(p), 5000)
      assert.deepInclude(await p.run("--list-pending"), { code: 0, stdout: "002_b.sql\n" })
      await p.write("002_b.sql", "create table b ()")
      assert.deepInclude(await p.run(), { code: 0, stdout: "002_b.sql\n" })
      assert.deepStrictEqual(await p.tables(), ["a", "b"])
    })
  }

  test("a connection cut in the middle of a file is a failure", {
    ...two,
    "002_b.sql": "create table b (); select pg_sleep(60)"
  }, async (p) => {
    const running = p.start([])
    await sleeping(p)
    await p.once(p.asSuperuser, `select pg_terminate_backend(pid) ${sleepers}`)
    const outcome = await running.outcome
    assert.deepInclude(outcome, { code: 1, stdout: "001_a.sql\n" })
    assert.include(outcome.stderr, "57P01")
    assert.deepStrictEqual(await p.tables(), ["a"])
  })

  for (const name of ["12_x.sql", "050-x.sql", "050_X.sql", "050_x.sql.bak", "x.sql", "README.md"]) {
    test(`a file named ${name} is an error that names it`, { ...two, [name]: "" }, async (p) => {
      for (const args of [[], ["--list-pending"]]) {
        const outcome = await p.run(...args)
        assert.deepInclude(outcome, { code: 1, stdout: "" })
        assert.include(outcome.stderr, name)
      }
      assert.deepStrictEqual(await p.tables(), [])
    })
  }

  test("files that are not UTF-8 text, an empty folder and no folder are errors", {}, async (p) => {
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

  test("uses TLS, verified", {
    "001_a.sql": "create table seen as select ssl, version from pg_stat_ssl where pid = pg_backend_pid()"
  }, async (p) => {
    const unverified = await p.start([], { APP_ENV: "production", DATABASE_CA_CERT: undefined }).outcome
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
    const change = (parts: Partial<URL>) => Object.assign(new URL(p.url), { password: "hunter2geheim", ...parts }).href
    for (
      const [url, says] of [
        [change({}), "password authentication failed"],
        [change({ port: "1" }), "ECONNREFUSED"],
        [change({ hostname: "hunter2geheim.invalid" }), "ENOTFOUND"],
        [change({ port: `${port}` }), "does not support SSL"],
        [p.to(p.url, "nowhere"), "does not exist"]
      ] as const
    ) {
      for (const args of [[], ["--list-pending"]]) {
        const outcome = await p.start(args, { MIGRATION_DATABASE_URL: url }).outcome
        assert.deepInclude(outcome, { code: 1, stdout: "" })
        assert.match(outcome.stderr, /^No database connection: [^\n]*\n$/)
        assert.include(outcome.stderr, says)
        for (const secret of ["hunter2", new URL(p.url).password, "postgres:"]) {
          assert.notInclude(outcome.stderr, secret)
        }
      }
    }
    plain.close()
    for (const url of ["hunter2geheim", change({ password: "hunter2%zz" })]) {
      const outcome = await p.start([], { MIGRATION_DATABASE_URL: url }).outcome
      assert.strictEqual(outcome.code, 1)
      assert.notInclude(outcome.stdout + outcome.stderr, "hunter2")
    }
  })

  test("DATABASE_URL serves where MIGRATION_DATABASE_URL is unset", two, async (p) => {
    const environment = { MIGRATION_DATABASE_URL: undefined, DATABASE_URL: p.url }
    const outcome = await p.start(["--list-pending"], environment).outcome
    assert.deepInclude(outcome, { code: 0, stdout: "001_a.sql\n002_b.sql\n" })
  })

  test("--help tells the exit codes and touches nothing", two, async (p) => {
    const outcome = await p.start(["--help"], { MIGRATION_DATABASE_URL: undefined }).outcome
    assert.deepInclude(outcome, { code: 0, stderr: "" })
    for (const words of ["--list-pending", "--expect", "exit 0 or 2 without applying"]) {
      assert.include(outcome.stdout, words)
    }
  })
})
