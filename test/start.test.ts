import { ConfigProvider, Effect } from "effect"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { type AddressInfo, connect, createServer } from "node:net"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { diagnose } from "../src/layers/Doctor.ts"
import { release } from "./http/release/Releases.ts"
import { openDatabase, openFolder } from "./support/App.ts"
import { call, signInVeteran } from "./support/Client.ts"
import { createDatabase } from "./support/Database.ts"
import { production } from "./support/Production.ts"
import { refusedInProcess } from "./support/RefusedStart.ts"
import { refused, startService } from "./support/Service.ts"
import { logged } from "./support/Until.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

const folder = await openFolder()

const certificate = join(folder, "ca.pem")

await writeFile(certificate, database.caCertificate)

const inProduction = (changes: Record<string, string | undefined> = {}) => ({
  ...production,
  DATABASE_APP_URL: database.url("runtime"),
  DATABASE_CA_CERT: certificate,
  // Nothing answers at this address. If production opened the owner's connection, the start would fail.
  MIGRATION_DATABASE_URL: "postgres://nobody:nothing@localhost:1/nowhere",
  ...changes
})

const inTest = (changes: Record<string, string | undefined> = {}) => ({
  APP_ENV: "test",
  DATABASE_APP_URL: database.url("runtime"),
  MIGRATION_DATABASE_URL: database.url("owner"),
  DATABASE_CA_CERT: certificate,
  ...changes
})

const asRole = (url: string, name: string, password: string) => {
  const changed = new URL(url)
  changed.username = name
  changed.password = password
  return changed.href
}

describe("A start exits with status 1 and one line without a stack for each problem,", () => {
  test("when variables are missing or malformed", async () => {
    assert.deepStrictEqual(await refused({ PORT: "canary" }), ["PORT must be a port number from 0 to 65535"])
    assert.sameMembers(
      await refusedInProcess(
        inProduction({ UPLOAD_DIR: undefined, APP_SECRET: undefined, ALLOW_LEGACY_HEADER_AUTH: "true" })
      ),
      [
        "UPLOAD_DIR is missing: production has no default for it",
        "APP_SECRET is missing: production has no default for it",
        "ALLOW_LEGACY_HEADER_AUTH must be 'false': legacy header authentication is gone"
      ]
    )
  })

  test("when the certificate's file cannot be read", async () => {
    assert.deepStrictEqual(await refusedInProcess(inProduction({ DATABASE_CA_CERT: join(folder, "canary.pem") })), [
      "DATABASE_CA_CERT names a file that cannot be read"
    ])
  })

  test("when the port is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const lines = await refused(inTest({ PORT: `${port}` }))
    server.close()
    assert.lengthOf(lines, 1)
    assert.strictEqual(
      lines[0],
      `PORT ${port} is taken (EADDRINUSE): stop what listens there, or try PORT=${port + 1} npm start`
    )
  })

  test("when the database cannot be reached or refuses the password, which is not shown", async () => {
    const unreachable = "postgres://vrss_app:canary@localhost:1/vrss"
    const wrong = asRole(database.url("runtime"), "vrss_app", "canary")
    assert.deepStrictEqual(
      await Promise.all([unreachable, wrong].map((url) => refusedInProcess(inProduction({ DATABASE_APP_URL: url })))),
      [
        ["the database of DATABASE_APP_URL (or DATABASE_URL) cannot be used: ECONNREFUSED"],
        ["the database of DATABASE_APP_URL (or DATABASE_URL) cannot be used: 28P01"]
      ]
    )
    const [line, ...more] = await refusedInProcess(inTest({ MIGRATION_DATABASE_URL: unreachable }))
    assert.lengthOf(more, 0)
    assert.match(line!, /ECONNREFUSED/)
    assert.notInclude(line!, "canary")
  })
})

describe("A start in production", () => {
  const tables = ["documents", "email_changes", "endings_told", "health_record_counts", "health_record_items",
    "health_record_tombstones", "looks_untold", "proofs", "provider_notes", "record_looks", "self_reported_entries",
    "veteran_deletions", "veteran_identities", "veteran_notices", "veteran_pairings", "veteran_passkeys",
    "veteran_sessions"]

  test("is refused in words when the server offers no TLS, as are its schema's creation and the doctor", async () => {
    const server = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.write("N")))
    server.listen(0, "localhost")
    await once(server, "listening")
    const url = `postgres://vrss_app:canary@localhost:${(server.address() as AddressInfo).port}/vrss`
    const environment = inProduction({ DATABASE_APP_URL: url })
    const offersNoTls = "the server offers no TLS (PostgreSQL: ssl = on)"
    const problem = `the database of DATABASE_APP_URL (or DATABASE_URL) cannot be used: ${offersNoTls}`
    assert.deepStrictEqual(await refusedInProcess(environment), [problem])
    assert.deepStrictEqual(await refusedInProcess(inTest({ MIGRATION_DATABASE_URL: url })), [
      `No database connection: ${offersNoTls}.`
    ])
    const { results } = await Effect.runPromise(
      diagnose({ deep: false, processes: 1, testMailTo: undefined }).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(environment))
      )
    )
    server.close()
    assert.deepStrictEqual(results.find(({ check }) => check === "database")?.findings, [{
      level: "error",
      problem: `T${problem.slice(1)}.`,
      meaning: "The service does not start; a running one answers 503. The doctor could not look at the database.",
      remedy:
        "Give the server a key and a certificate and set ssl = on, or, if a pooler answers there, its client_tls_sslmode."
    }])
  })

  test("is refused when the server's certificate is not verified by DATABASE_CA_CERT, or is for another name", async () => {
    const url = new URL(database.url("runtime"))
    const proxy = createServer((inside) => {
      const outside = connect(Number(url.port), "localhost")
      inside.on("error", () => {}).pipe(outside).on("error", () => {}).pipe(inside)
    }).listen(0, "127.0.0.2")
    await once(proxy, "listening")
    const otherName = new URL(url)
    otherName.host = `127.0.0.2:${(proxy.address() as AddressInfo).port}`
    const refusals = await Promise.all(
      [{ DATABASE_CA_CERT: undefined }, { DATABASE_APP_URL: otherName.href }].map((changes) =>
        refusedInProcess(inProduction(changes))
      )
    )
    proxy.close()
    const start = "the database of DATABASE_APP_URL (or DATABASE_URL) cannot be used: "
    const why = "its certificate is not verified by DATABASE_CA_CERT"
    assert.deepStrictEqual(refusals, [
      [`${start}${why} (DEPTH_ZERO_SELF_SIGNED_CERT)`],
      [`${start}${why} (ERR_TLS_CERT_ALTNAME_INVALID)`]
    ])
  })

  // Each finding of the guard is tested in test/sql/DatabaseGuard.test.ts.
  test("is refused while row-level security is not forced, or not enabled, on any of the protected tables", async () => {
    const alter = (off: string) =>
      superuser.query(tables.map((table) => `alter table ${table} ${off} row level security`).join(";"))
    for (const [off, on] of [["no force", "force"], ["disable", "enable"]] as const) {
      await alter(off)
      assert.deepStrictEqual(
        await refusedInProcess(inProduction()),
        tables.map((table) => `Row-level security is not enabled and forced on ${table}.`)
      )
      await alter(on)
    }
  })

  test("is refused while the schema differs from the migrations or the runtime role has further powers", async () => {
    const own = await createDatabase()
    const above = await own.connect("superuser")
    await above.query(`
      create role start_strong login createrole password 'x' in role vrss_runtime, pg_execute_server_program;
      create policy leak on documents using (true);
      drop policy veteran_owns on documents;
      alter table secure_links disable trigger user`)
    try {
      const DATABASE_APP_URL = asRole(own.url("runtime"), "start_strong", "x")
      const instead = "connect the runtime pool (DATABASE_APP_URL) as an ordinary role that owns no table"
      assert.deepStrictEqual((await refusedInProcess(inProduction({ DATABASE_APP_URL }))).sort(), [
        `The runtime role start_strong is a member of pg_execute_server_program: ${instead}.`,
        `The runtime role start_strong may create roles (CREATEROLE): ${instead}.`,
        "The schema is not what the migrations make: the policy leak on public.documents is added.",
        "The schema is not what the migrations make: the policy veteran_owns on public.documents is missing.",
        "The schema is not what the migrations make: the trigger deleted_links_lose_bundles on public.secure_links is changed.",
        "The schema is not what the migrations make: the trigger ended_links_are_proved on public.secure_links is changed.",
        "The schema is not what the migrations make: the trigger ended_links_lose_bundles on public.secure_links is changed.",
        "The schema is not what the migrations make: the trigger links_are_proved on public.secure_links is changed.",
        "The schema is not what the migrations make: the trigger links_may_be_refused on public.secure_links is changed.",
        "The schema is not what the migrations make: the trigger secure_links_ended on public.secure_links is changed.",
        "The schema is not what the migrations make: the trigger secure_links_final on public.secure_links is changed."
      ])
    } finally {
      await above.query("drop role start_strong")
      await own.close()
    }
  })

  test("is refused until the migrations are applied", async () => {
    const empty = await createDatabase("template0")
    try {
      assert.deepStrictEqual(
        await refusedInProcess(inProduction({ DATABASE_APP_URL: empty.url("runtime") })),
        tables.map((table) => `The table ${table} is missing: apply the migrations.`)
      )
    } finally {
      await empty.close()
    }
  })
})

describe("Outside production, with DATABASE_URL alone", () => {
  test("the owner serves as the runtime role too, and row-level security holds for it", async () => {
    const own = await createDatabase("template0")
    const service = await startService(own, {
      DATABASE_APP_URL: undefined,
      MIGRATION_DATABASE_URL: undefined,
      DATABASE_URL: own.url("owner")
    })
    const veteran = await signInVeteran(service)
    const entry = { category: "note", text: "as the owner" }
    const path = "/api/veteran/me/self-reported-entries"
    assert.strictEqual((await call(service, "POST", path, { headers: veteran.headers, body: entry })).status, 201)
    const owner = await own.connect("owner")
    assert.deepStrictEqual((await owner.query("select * from self_reported_entries")).rows, [])
    await service.stop()
    await own.close()
  })
})

describe("In production, with everything right, the service", () => {
  test("serves requests and issues no DDL, and logs that a weaker sslmode in the URL is ignored", async () => {
    const own = await createDatabase()
    const above = await own.connect("superuser")
    await above.query(`
      create schema watch;
      grant usage on schema watch to public;
      create table watch.ddl (tag text);
      grant insert on watch.ddl to public;
      create function watch.note_ddl() returns event_trigger language plpgsql as
        $$ begin insert into watch.ddl values (tg_tag); end $$;
      create event trigger note_ddl on ddl_command_start execute function watch.note_ddl()`)
    const url = new URL(own.url("runtime"))
    url.searchParams.set("sslmode", "disable")
    const service = await startService(own, {
      ...production,
      DATABASE_APP_URL: url.href,
      DATABASE_CA_CERT: certificate,
      MIGRATION_DATABASE_URL: "postgres://nobody:nothing@localhost:1/nowhere"
    })
    const registered = await call(service, "POST", "/api/admin/veterans", {
      headers: { "x-internal-admin-secret": production.INTERNAL_ADMIN_SECRET },
      body: { vaPatientId: "icn", callSign: "Eagle", email: "eagle@example.org" }
    })
    assert.strictEqual(registered.status, 201)
    const session = await call(service, "POST", "/api/auth/veteran/session", {
      headers: { "x-veteran-session-exchange": production.VETERAN_SESSION_EXCHANGE_SECRET },
      body: { vaPatientId: "icn" }
    })
    assert.strictEqual(session.status, 200)
    assert.strictEqual((await call(service, "GET", "/api/ready")).status, 200)
    // The API's document is there, and its page is like any path that no route has.
    assert.strictEqual((await call(service, "GET", "/api/openapi.json")).status, 200)
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const [page, nothing] = [await call(service, method, "/api/docs"), await call(service, method, "/api/nothing")]
      assert.deepStrictEqual([page.status, page.json?.error], [nothing.status, nothing.json?.error])
      if (method === "GET") assert.strictEqual(page.status, 404)
      // Errors and preflights have this header too (headers.test.ts has the others).
      assert.strictEqual(page.headers.get("strict-transport-security"), "max-age=63072000; includeSubDomains")
    }
    const signed = await call(service, "POST", "/api/veteran/me/roi", {
      headers: { authorization: `Bearer ${session.json.accessToken}` },
      body: release()
    })
    const unsigned =
      "This server has no certificate to sign releases with: ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY."
    assert.deepStrictEqual([signed.status, signed.json.message], [503, unsigned])
    await logged(service, unsigned)
    const { rows } = await above.query(
      "select usename, ssl from pg_stat_activity join pg_stat_ssl using (pid) where datname = $1 and application_name = 'vrss'",
      [own.name]
    )
    assert.isNotEmpty(rows)
    for (const row of rows) assert.deepStrictEqual(row, { usename: "vrss_app", ssl: true })
    assert.strictEqual(await service.stop(), 0)
    assert.include(
      service.output(),
      "sslmode=disable in the database's URL is ignored in production: TLS is on and the certificate is verified (verify-full)"
    )
    assert.deepStrictEqual((await above.query("select tag from watch.ddl")).rows, [])
    await above.query("create table proof_that_ddl_is_noted ()")
    assert.deepStrictEqual((await above.query("select tag from watch.ddl")).rows, [{ tag: "CREATE TABLE" }])
    await own.close()
  })
})
