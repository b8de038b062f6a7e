import { Clock, Effect } from "effect"
import { randomBytes } from "node:crypto"
import { mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { generateKey } from "../src/services/ledger/SignedNote.ts"
import { base, found, mailbox, root, run, sound, sql } from "./support/Deployment.ts"
import { programFile } from "./support/Environment.ts"
import { startCommand } from "./support/RunProgram.ts"
import { stored } from "./support/StoredDeployment.ts"

describe("A sound deployment", () => {
  test("gets one line and exit code 0 from the doctor, and is left unchanged", async () => {
    const before = await readdir(base.UPLOAD_DIR, { recursive: true })
    assert.deepStrictEqual(await run(base), { code: 0, stdout: "sound: 29 checks found nothing\n", stderr: "" })
    assert.deepStrictEqual(await readdir(base.UPLOAD_DIR, { recursive: true }), before)
    assert.lengthOf(mailbox.mails, 0)
  })

  test("is sound in the deep check and in the JSON report", async () => {
    assert.deepStrictEqual(await found(base, { deep: true }), [])
    const { code, stdout } = await run(base, "--json")
    const { checks, sound } = JSON.parse(stdout)
    assert.deepStrictEqual([code, sound, checks.length], [0, true, 29])
    assert.deepInclude(checks, { check: "sealed values", findings: [] })
    const verbose = (await run({ ...base, RELEASE_RETENTION_YEARS: "9" }, "--verbose")).stdout.split("\n")
    assert.includeMembers(verbose, [
      "sound  sessions",
      "kept  a one-time code's hash is deleted: 1 day after it was made",
      "kept  a release that was shown and that its veteran deleted is deleted for good: 9 years after its end",
      "kept  an item of a record that is no longer active is deleted: 90 days after the sync that did not have it",
      "kept  an event of the account of disclosures is forgotten; its hash stays in the tree: never"
    ])
  })

  test("sends a test mail if one is requested", async () => {
    assert.deepStrictEqual(await found(base, { testMailTo: "operator@example.org" as never }), [])
    assert.deepStrictEqual(mailbox.mails.map(({ recipients }) => recipients), [["operator@example.org"]])
  })
})

describe("Among stored data, the doctor finds", () => {
  const home = base.UPLOAD_DIR

  test("values sealed under a key that is not configured, and under a key that now has another value", async () => {
    const [first, second] = base.TOKEN_ENCRYPTION_KEY.split(",")
    assert.deepStrictEqual(await found({ ...base, TOKEN_ENCRYPTION_KEY: `${second},${first}` }), [])
    const [finding, ...more] = await found({ ...base, TOKEN_ENCRYPTION_KEY: second })
    assert.match(
      finding!,
      /^error sealed values: \d+ stored values .* are sealed under the key first, which TOKEN_ENCRYPTION_KEY does not have\.$/
    )
    assert.lengthOf(more, 0)
    const other = `first:${randomBytes(32).toString("base64")}`
    const findings = await found({ ...base, TOKEN_ENCRYPTION_KEY: other })
    assert.deepStrictEqual(
      findings.map((line) => /^error sealed values: \d+ stored values of (\S+) under first do not open/.exec(line)?.[1])
        .sort(),
      [
        "documents.authorization_ciphertext",
        "documents.file_key",
        "documents.recipient_file_key",
        "documents.record_file_key",
        "documents.title",
        "health_record_items.raw_ciphertext",
        "proofs.leaf_ciphertext",
        "self_reported_entries.body_ciphertext"
      ]
    )
    assert.notInclude(findings.join(), other.slice(6, 20))
  })

  test("rows whose file is lost, or lies in trash", async () => {
    const [lost, trashed] = stored.map((name) => join(home, "files", name))
    await mkdir(join(home, "trash"))
    await rename(lost!, join(root, "lost"))
    await rename(trashed!, join(home, "trash", stored[1]!))
    for (const deep of [false, true]) {
      const findings = await found(base, { deep })
      // Without `deep`, the doctor looks at a random sample, which may contain neither the lost nor the trashed file.
      if (findings.length > 0 || deep) {
        assert.match(
          findings[0]!,
          /^error stored files: Of [1-4] stored files that were looked for, [12] are not in UPLOAD_DIR; [01] of these lie in its trash\.$/
        )
      }
      if (deep) assert.include(findings[0]!, "Of 4 stored files that were looked for, 2 are not")
    }
    await rename(join(root, "lost"), lost!)
    await rename(join(home, "trash", stored[1]!), trashed!)
    await rm(join(home, "trash"), { recursive: true })
    assert.deepStrictEqual(await found(base, { deep: true }), [])
  })

  test("files without a row that are older than an hour, if they are too many for the sweep to move", async () => {
    const names = Array.from({ length: 30 }, () => randomBytes(16).toString("hex"))
    for (const name of names) await writeFile(join(home, "files", name), "")
    assert.deepStrictEqual(await found(base), [])
    const then = Date.now() / 1000 - 7200
    for (const name of names) await utimes(join(home, "files", name), then, then)
    const [finding, ...more] = await found(base)
    assert.strictEqual(
      finding,
      "warning stored files: Of 30 files older than an hour, 30 have no row in this database."
    )
    assert.lengthOf(more, 0)
    for (const name of names) await rm(join(home, "files", name))
  })
})

test("The doctor finds a clock that differs from the database's", async () => {
  const clock = (away: number): Clock.Clock =>
    Object.create(Clock.Clock.defaultValue(), {
      currentTimeMillisUnsafe: { value: () => Date.now() + away },
      currentTimeMillis: { value: Effect.sync(() => Date.now() + away) }
    })
  const says = (seconds: number) =>
    `clock: The clocks of this machine and of the database differ by ${seconds} seconds.`
  assert.deepStrictEqual(await found(base, {}, clock(-20_000)), [`warning ${says(20)}`])
  assert.deepStrictEqual(await found(base, {}, clock(600_000)), [`error ${says(600)}`])
})

test("The doctor finds a tree of disclosures that does not match its last signed checkpoint", async () => {
  const check = "account of disclosures"
  await sql("create schema aside; create table aside.kept as table proof_tiles; delete from proof_tiles")(sound)
  assert.deepStrictEqual(await found(base), [
    `error ${check}: The tree of disclosures does not begin with what its last checkpoint was signed for.`
  ])
  await sql("insert into proof_tiles select * from aside.kept; drop schema aside cascade")(sound)
  assert.deepStrictEqual(await found({ ...base, PROOF_SIGNING_KEY: generateKey("another") }), [
    `warning ${check}: The last checkpoint of the disclosures was signed with another key than PROOF_SIGNING_KEY.`
  ])
})

describe("The program", () => {
  const everySecret = Object.entries(base).filter(([name]) => /SECRET$|KEY$/.test(name) && name !== "ROI_SIGNING_KEY")
    .map(([, value]) => value!)

  test("finds the errors of a deployment that cannot start, shows no secret, and exits with 1", async () => {
    const issuer = `https://records.example.org/${"a".repeat(50)}/api/oauth`
    const policy = "\"\u001b]0;owned\u0007\" on veterans"
    const environment = {
      ...base,
      ...await sql("alter table documents no force row level security", "owner")(sound),
      ...await sql(`create policy ${policy} using (false)`)(sound),
      INTERNAL_ADMIN_SECRET: base.APP_SECRET,
      OAUTH_ISSUER: issuer,
      SMTP_URL: mailbox.url.replace("//", "//me:canary@")
    }
    const { code, stderr, stdout } = await run(environment)
    await sql("alter table documents force row level security", "owner")(sound)
    await sql(`drop policy ${policy}`)(sound)
    assert.deepStrictEqual([code, stderr], [1, ""])
    for (const check of ["configuration", "mail", "roles and policies"]) assert.include(stdout, `ERROR  ${check}: `)
    assert.include(stdout, "Row-level security is not enabled and forced on documents.")
    // An address that is too long for SMART Health Links.
    assert.match(stdout, /^ERROR {2}configuration: OAUTH_ISSUER must have at most 76 characters before \/api\/oauth/m)
    // Terminal control characters in a name are replaced.
    assert.include(stdout, `the policy "?]0;owned?" on public.veterans is added.`)
    // Two checks need the address.
    assert.match(stdout, /^not looked at .+: OAUTH_ISSUER is wrong$/m)
    assert.strictEqual(stdout.split("\n").at(-2), "4 errors, 0 warnings; 24 checks found nothing")
    assert.lengthOf(stdout.match(/^ {2}Do: .+$/gm)!, 4)
    for (const secret of [...everySecret, "canary", issuer]) assert.notInclude(stdout, secret)
    assert.notInclude(stdout, new URL(base.DATABASE_APP_URL).password)
  })

  test("reports too few database connections for 100 processes, and that 256 descriptors are too few", async () => {
    const command = `ulimit -n 256; exec ${process.execPath} ${programFile("doctor")} --processes 100`
    const { code, stdout } = await startCommand("bash", ["-c", command], { cwd: root, environment: base }).outcome
    assert.strictEqual(code, 1)
    assert.match(stdout, /^ERROR {2}connections: 100 processes open up to 1800 connections, and .* is \d+\./m)
    assert.match(
      stdout,
      /^WARNING {2}descriptors: This user may open 256 files at once, and MAX_CONNECTIONS=200 needs 328\.\n/m
    )
    assert.include(stdout, "set MAX_CONNECTIONS=128.")
  })

  test("exits with 2 and prints no findings if it does not understand its arguments", async () => {
    for (const args of [["--nope"], ["--processes", "0"], ["--send-test-mail", "nobody"]]) {
      const { code, stderr, stdout } = await run(base, ...args)
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, /See doctor --help\.\n$/)
    }
    const help = await run(base, "--help")
    assert.strictEqual(help.code, 0)
    assert.include(help.stdout, "Exit codes: 0 sound")
  })
})
