import { chmod, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { used } from "./support/App.ts"
import { createDatabase, type TestDatabase } from "./support/Database.ts"
import {
  base,
  certificate,
  deployment,
  type Environment,
  file,
  found,
  mailbox,
  root,
  sound,
  sql
} from "./support/Deployment.ts"
import { openSilentServer } from "./support/Mailbox.ts"
import { noPgBouncer, openPgBouncer } from "./support/PgBouncer.ts"
import { production } from "./support/Production.ts"
import { stored } from "./support/StoredDeployment.ts"

// The deployment without a fault has stored data, so each check has something to look at.
assert.isNotEmpty(stored)

const somebody =
  "insert into veterans (id, va_patient_id, call_sign, email) values (gen_random_uuid(), 'x', 'x', 'x@example.org'); "

/**
 * One fault of a deployment: changed environment variables, or a function that returns them. The function gets a
 * separate database, which it may also change.
 */
type Changes = Environment | ((database: TestDatabase, environment: Environment) => Promise<Environment>)

const withUrl = (change: (url: URL) => void) => async (database: TestDatabase) => {
  const url = new URL(database.url("runtime"))
  change(url)
  return { DATABASE_APP_URL: url.href }
}

const closed = await freePort()

const broken: ReadonlyArray<readonly [what: string, Changes, expected: string | RegExp]> = [
  // Configuration
  [
    "a secret with the published development value",
    { APP_SECRET: "development only, never in production: APP_SECRET" },
    "error configuration: APP_SECRET must hold at least 32 bytes, ten different ones, and not be the development value."
  ],
  [
    "the same value for two secrets",
    { OAUTH_JWT_SECRET: production.WEBHOOK_SECRET },
    /^error configuration: APP_SECRET, .* must all differ\.$/
  ],
  ["no UPLOAD_DIR", { UPLOAD_DIR: undefined },
    /^error configuration: UPLOAD_DIR is missing: production has no default/],
  ["TLS that verifies nothing", { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    "error choices: NODE_TLS_REJECT_UNAUTHORIZED=0 is set."],
  ["a proxy whose address counts as every client's", { TRUSTED_PROXY_HOPS: "0" },
    "warning choices: TRUSTED_PROXY_HOPS is 0 in production."],
  ["documentation for everybody", { API_DOCS: "true" }, "warning choices: API_DOCS is true in production."],
  [
    "a portal that may not call the service",
    { PROVIDER_PORTAL_ORIGINS: "https://other.example.org" },
    "warning choices: PROVIDER_PORTAL_ORIGINS does not have https://portal.example.org, the origin of PROVIDER_PORTAL_URL."
  ],
  [
    "a portal on another site than the API",
    { PROVIDER_PORTAL_URL: "https://portal.clinic.example" },
    "error choices: The portal and the API are on two sites: https://portal.clinic.example and https://api.example.org."
  ],
  [
    "a portal URL that names this machine",
    { PROVIDER_PORTAL_URL: "https://localhost" },
    "error choices: PROVIDER_PORTAL_URL names this machine."
  ],
  ["a certificate that expires soon", () => certificate("soon", 10),
    /^warning signing certificate: The certificate that seals releases ends on 20\d\d-\d\d-\d\d\.$/],
  ["a certificate that has expired", () => certificate("over", -1),
    /^error signing certificate: The certificate that seals releases ended on 20\d\d-\d\d-\d\d\.$/],
  [
    "no key for the certificate",
    { ROI_SIGNING_KEY: "/nowhere.key" },
    /^error signing certificate: ROI_SIGNING_CERTIFICATE and/
  ],
  [
    "no certificate",
    { ROI_SIGNING_CERTIFICATE: undefined, ROI_SIGNING_KEY: undefined },
    "warning signing certificate: This server has no certificate to sign releases with: ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY."
  ],
  ["a memory budget beyond the machine's memory", { MEMORY_BUDGET_MIB: "65536", SYNCS_AT_ONCE: "32" },
    /^warning memory: This machine.* has \d+ MiB/],
  // Database
  [
    "a database that is down",
    withUrl((url) => url.port = `${closed}`),
    "error database: The database of DATABASE_APP_URL (or DATABASE_URL) cannot be used: ECONNREFUSED."
  ],
  [
    "a database that takes connections and says nothing",
    async () => ({
      DATABASE_APP_URL: (await used(openSilentServer())).url.replace("smtp:", "postgres://a:canary@").replace(
        "@//",
        "@"
      )
    }),
    /^error database: The database of DATABASE_APP_URL \(or DATABASE_URL\) (takes connections but does not answer: .*\?|cannot be used: \w+)\.$/
  ],
  [
    "a URL that asks for no TLS",
    withUrl((url) => url.searchParams.set("sslmode", "disable")),
    "warning database: sslmode=disable in the database's URL is ignored in production: TLS is on and the certificate is verified (verify-full)."
  ],
  [
    "a session that begins with another search_path",
    sql("alter role vrss_app in database DATABASE set search_path = elsewhere, public"),
    /^error roles and policies: Sessions of the service begin with a search_path that is not its own: run 'alter role vrss_app in database \w+ reset search_path'\.$/
  ],
  [
    "a session that begins with an undocumented setting",
    sql("alter database DATABASE set work_mem = '8MB'"),
    /^warning roles and policies: Sessions of the service begin with a work_mem that docs\/operator.md does not name: run 'alter database \w+ reset work_mem', unless you set it\.$/
  ],
  [
    "a large object of the runtime role",
    async (database) => {
      await (await database.connect("runtime")).query("select lo_from_bytea(0, 'x')")
      return {}
    },
    /^warning roles and policies: The runtime role has 1 large objects, which the service never makes; all of this database take \d+ kB: /
  ],
  [
    "a record that is nearly full",
    sql(
      `with v as (
         insert into veterans (id, va_patient_id, call_sign, email)
         select gen_random_uuid(), 'full-' || n, 'Eagle', 'eagle@example.org' from generate_series(1, 2) n
         returning id, va_patient_id
       )
       insert into health_record_sizes
       select id, case va_patient_id when 'full-1' then 900000000 else 800000000 end,
         case va_patient_id when 'full-1' then 0 else 900000000 end from v`
    ),
    "warning records: The active items of 1 record take more than 80 % of RECORD_LIMIT_MB, in the fullest 84 %."
  ],
  [
    "a migration that is not applied",
    sql("delete from schema_migrations where name = '019_storage_used.sql'"),
    "error roles and policies: The migration 019_storage_used.sql is not applied: apply the migrations."
  ],
  [
    "a migration whose file changed after it was applied",
    sql("update schema_migrations set sha256 = 'other' where name = '002_veterans.sql'"),
    "error migrations: Applied migrations are not the files of this release: 002_veterans.sql."
  ],
  [
    "a schema of a newer release",
    sql("insert into schema_migrations (name, sha256) values ('999_newer.sql', 'x')"),
    "warning migrations: The database has migrations that this release does not know: 999_newer.sql."
  ],
  [
    "fewer connections than the pools open",
    sql("alter database DATABASE connection limit 9"),
    "error connections: A process opens up to 18 connections, and the connection limit of the database is 9."
  ],
  [
    "commits that are confirmed before they are durable",
    sql("alter database DATABASE set synchronous_commit = off"),
    "error server: synchronous_commit is off on this server."
  ],
  [
    "a database that takes no writes",
    sql("alter database DATABASE set default_transaction_read_only = on"),
    "error server: Transactions begin read-only (default_transaction_read_only)."
  ],
  [
    "notices that stay in the outbox",
    sql(
      "insert into outbox (kind, subject_id, created_at) values ('password_link', gen_random_uuid(), now() - interval '2 hours')"
    ),
    "warning outbox: 1 of 1 notices in the outbox wait for more than an hour."
  ],
  [
    "no key that signs the tree of disclosures",
    { PROOF_SIGNING_KEY: undefined },
    "warning account of disclosures: This server has no key to sign the account of disclosures with: PROOF_SIGNING_KEY."
  ],
  [
    "a disclosure that is not drained into the tree",
    sql(
      somebody + "insert into proofs (veteran_id, id, kind, at, event) select id, gen_random_uuid(), 'link_opened', " +
        "now() - interval '600 seconds', '{}' from veterans"
    ),
    /^warning account of disclosures: The oldest disclosure that is no leaf of the tree yet has waited for 60\d seconds\.$/
  ],
  [
    "a disclosure that is set aside",
    sql(
      somebody + "insert into proofs (veteran_id, id, kind, at, event, set_aside) select id, gen_random_uuid(), " +
        "'link_opened', now(), '{}', 'no event' from veterans"
    ),
    "error account of disclosures: 1 disclosures are set aside, because no leaf can be made of them."
  ],
  [
    "an event that was removed from the account",
    sql("insert into proof_tiles values (0, 0, decode(repeat('00', 64), 'hex'))"),
    "error rows of the account: 2 leaves of the tree of disclosures have no row."
  ],
  [
    "rows of veterans who are not there",
    sql(
      "set session_replication_role = replica; insert into self_reported_entries (veteran_id, id, category, " +
        "body_ciphertext) values (gen_random_uuid(), gen_random_uuid(), 'note', decode(repeat('00', 40), 'hex')); " +
        "reset session_replication_role"
    ),
    "error rows of nobody: self_reported_entries has 1 row of veterans who are not there."
  ],
  [
    "a deletion that is late",
    sql(
      somebody +
        "insert into veteran_deletions (veteran_id, ends_at) select id, now() - interval '2 hours' from veterans"
    ),
    "warning deletions: 1 deletion is more than an hour late."
  ],
  // Files
  ["a folder that is missing", { UPLOAD_DIR: join(root, "away") },
    /^error upload directory: UPLOAD_DIR is missing: its disk may not be mounted\. .* make an empty folder\.$/],
  ["a file in the folder's place", async () => ({ UPLOAD_DIR: await file("no-folder", "") }),
    "error upload directory: UPLOAD_DIR names a folder that cannot be made or written to (ENOTDIR)."],
  [
    "a folder that all may write to",
    async (_, { UPLOAD_DIR }) => chmod(UPLOAD_DIR!, 0o777).then(() => ({})),
    "warning upload directory: Other users than its owner may enter UPLOAD_DIR (mode 777)."
  ],
  [
    "an empty folder where there were files",
    async (database) => {
      await sql("insert into stored_files values ('00000000000000000000000000000000')")(database)
      return {}
    },
    /^error stored files: UPLOAD_DIR is empty, but this database has files: mount its disk, or configure the folder/
  ],
  [
    "another database's folder",
    async (_, { UPLOAD_DIR }) => writeFile(join(UPLOAD_DIR!, "database-id"), "other").then(() => ({})),
    /^error stored files: UPLOAD_DIR is of another database \(its file database-id says no id, this one's id is [0-9a-f-]{36}\): /
  ],
  // Mail
  [
    "a mail server that is down",
    { SMTP_URL: `smtp://127.0.0.1:${closed}` },
    "error mail: Mail: the server refuses connections (ECONNREFUSED)."
  ],
  [
    "a Google issuer that cannot be reached",
    { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: `https://127.0.0.1:${closed}` },
    "error sign-in with Google: GOOGLE_ISSUER gives no answer (ECONNREFUSED)."
  ],
  [
    "a mail server that never speaks",
    async () => ({ SMTP_URL: (await used(openSilentServer())).url }),
    "error mail: Mail: the server does not answer in time (ETIMEDOUT)."
  ],
  [
    "a mail server that is not trusted",
    { SMTP_CA_CERT: undefined },
    /^error mail: Mail: the server's certificate is not trusted/
  ],
  [
    "a password that the mail server refuses",
    { SMTP_URL: mailbox.url.replace("//", "//me:canary@") },
    "error mail: Mail: the server refuses the user or the password of SMTP_URL (EAUTH)."
  ],
  [
    "an authority file without a certificate",
    async () => ({ SMTP_CA_CERT: await file("empty.pem", "canary") }),
    "error mail: Mail: SMTP_CA_CERT must name a PEM file of certificates that can be read."
  ]
]

describe("The doctor finds this fault of a deployment and nothing else:", () => {
  test.each(broken)("%s", async (_, changes, expected) => {
    const own = typeof changes === "function"
    const database = own ? await used(createDatabase()) : sound
    const environment: Environment = own ? await deployment(database) : base
    const changed = { ...environment, ...own ? await changes(database, environment) : changes }
    const findings = await found(changed)
    assert.lengthOf(findings, 1, findings.join("\n"))
    if (typeof expected === "string") assert.strictEqual(findings[0], expected)
    else assert.match(findings[0]!, expected)
  })
})

test("Parts that a backup would leave out are found, and that they have changed", async () => {
  const database = await used(createDatabase())
  const environment = await deployment(database)
  await sql("drop policy backup_reads on app.health_record_items_07; revoke select on app.proofs_63 from vrss_backup")(
    database
  )
  assert.include(
    await found(environment),
    "error rows in a backup: A backup would leave out 2 tables: app.health_record_items_07, app.proofs_63."
  )
})

test.skipIf(noPgBouncer)("A pooler in transaction mode is found", async () => {
  const limits = "client_connection_check_interval,idle_in_transaction_session_timeout,statement_timeout,lock_timeout"
  const pooler = await openPgBouncer(sound, { pool_mode: "transaction", ignore_startup_parameters: limits })
  const [finding, ...more] = await found({
    ...base,
    DATABASE_APP_URL: pooler.url("runtime"),
    DATABASE_CA_CERT: await file("pooler.pem", pooler.caCertificate)
  })
  assert.match(
    finding!,
    /^error sessions: DATABASE_APP_URL .* leads to a pooler in transaction mode/
  )
  assert.lengthOf(more, 0)
})
