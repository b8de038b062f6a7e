import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, test } from "vitest"
import { openThree, trustHaproxy } from "./faults/Three.ts"
import { atEnd, openDatabase, openFolder } from "./support/App.ts"
import { describeWith } from "./support/DescribeWith.ts"
import { inherited, programFile } from "./support/Environment.ts"
import { openMailbox } from "./support/Mailbox.ts"
import { noPgBouncer, openLimitedPooler } from "./support/PgBouncer.ts"
import { production } from "./support/Production.ts"
import { openVersionedBucket } from "./support/VersionedBucket.ts"
import { noHaproxy } from "./web/Haproxy.ts"

const signing = process.env["TEST_SIGNING"]

describeWith(
  noHaproxy || noPgBouncer,
  "The demo with --url (skipped without Debian's packages haproxy and pgbouncer)",
  async () => {
    trustHaproxy()
    const folder = await openFolder()
    const database = await openDatabase()
    const superuser = await database.connect("superuser")
    const pooler = await openLimitedPooler(database, superuser, { pool_mode: "transaction", default_pool_size: 6 })
    atEnd(pooler.close)
    const bucket = await openVersionedBucket()
    atEnd(bucket.close)
    // The recipient's and the veteran's mailboxes are on the demo's machine.
    await mkdir(join(folder, ".data/mail"), { recursive: true })
    const mailbox = await openMailbox({
      secure: "starttls",
      password: "canary-mail",
      deliver: (raw) =>
        writeFile(join(folder, `.data/mail/${new Date().toISOString().replaceAll(":", "-")}-${randomUUID()}.eml`), raw)
    })
    atEnd(mailbox.close)
    await writeFile(join(folder, "mail.pem"), mailbox.authority)
    const { haproxy, processes } = await openThree(pooler.database, {
      ...production,
      ...bucket.environment,
      HOST: "127.0.0.1",
      MIGRATION_DATABASE_URL: undefined,
      DATABASE_SESSION_URL: database.url("runtime"),
      SMTP_URL: mailbox.url.replace("//", "//me:canary-mail@"),
      SMTP_CA_CERT: join(folder, "mail.pem"),
      ROI_SIGNING_CERTIFICATE: `${signing}.crt`,
      ROI_SIGNING_KEY: `${signing}.key`,
      TRUSTED_PROXY_HOPS: "1"
    })

    test("passes on three processes in production, behind HAProxy, through PgBouncer, with files in a bucket", async () => {
      const demo = programFile("demo")
      const { stderr, stdout } = await promisify(execFile)(process.execPath, [demo, "--url", haproxy.url], {
        cwd: folder,
        env: {
          ...inherited,
          NODE_EXTRA_CA_CERTS: haproxy.certificate,
          VETERAN_SESSION_EXCHANGE_SECRET: production.VETERAN_SESSION_EXCHANGE_SECRET,
          INTERNAL_ADMIN_SECRET: production.INTERNAL_ADMIN_SECRET
        }
      })
      assert.match(stdout, /== Done\n$/)
      assert.strictEqual(stderr, "")
      for (const said of ["genuine: the recipient's copy, in_force", "link: LinkDisabled", "401 login"]) {
        assert.include(stdout, said)
      }
      // The demo says so when it leaves something out.
      assert.notMatch(stdout, /: no (view|app)$/m)
      assert.isAtLeast(stdout.split("\n").filter((line) => line.startsWith("== ")).length, 14, stdout)
      const servers = (await pooler.command("show servers")).filter(({ user }) => user === "vrss_app")
      assert.include([1, 2, 3, 4, 5, 6], servers.length)
      assert.isAbove(bucket.keys("files/").length, 0)
      for (const { directory } of processes) {
        assert.deepStrictEqual(await readdir(join(directory, "uploads/files")).catch(() => []), [])
      }
    })
  }
)
