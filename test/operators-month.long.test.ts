import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { generate } from "selfsigned"
import { assert, test } from "vitest"
import { generateKey } from "../src/services/ledger/SignedNote.ts"
import { createLink, revokeLink, step } from "./http/link/Links.ts"
import { download, signed, upload } from "./http/release/Releases.ts"
import { openFolder, used } from "./support/App.ts"
import { type Answer, asAdmin, bearer, call, giveGrant, type SignedIn, signInProvider } from "./support/Client.ts"
import { needsServer, noServer, openCluster } from "./support/DebianPostgres.ts"
import { openMailbox } from "./support/Mailbox.ts"
import { type Cluster, commandsOf, operator, shell } from "./support/OperatorCommands.ts"
import { production } from "./support/Production.ts"
import { adminSecret, type Service, startService } from "./support/Service.ts"
import { resource, sync } from "./support/Sync.ts"
import { until } from "./support/Until.ts"

// An operator's month, by the commands of docs/operator.md on Debian's PostgreSQL. Two processes serve all the time.

const root = await openFolder()

const checkout = resolve(import.meta.dirname, "..")

const migrations = readdirSync(join(checkout, "migrations")).toSorted()

/** The rows of Git about all migrations at a commit: the hash and name of each. */
const filesAt = (commit: string) =>
  spawnSync("git", ["-C", checkout, "ls-tree", commit, "migrations/"], { encoding: "utf8" }).stdout.trim().split("\n")

/** The newest commit that lacks migrations, but has no other ones than today's. It is undefined without a history. */
const formerCommit = () => {
  const today = new Set(filesAt("HEAD"))
  const history = ["-C", checkout, "log", "--format=%H^", "--", "migrations"]
  return spawnSync("git", history, { encoding: "utf8" }).stdout.trim().split("\n").find((commit) => {
    const then = filesAt(commit)
    return then.length < today.size && then.every((migration) => today.has(migration))
  })
}

/** Puts the release before the newest migrations into a folder, with the packages of this one. */
const formerRelease = async (commit: string) => {
  const folder = join(root, "former")
  await mkdir(folder)
  const files = ["package.json", "migrations", "src"]
  const archive = execFileSync("git", ["-C", checkout, "archive", commit, ...files], { maxBuffer: 1e9 })
  execFileSync("tar", ["--extract", "--directory", folder], { input: archive })
  await symlink(join(checkout, "node_modules"), join(folder, "node_modules"))
  return folder
}

const file = async (name: string, text: string) => {
  await writeFile(join(root, name), text)
  return join(root, name)
}

const certificate = async (name: string) => {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    notAfterDate: new Date(Date.now() + 365 * 86_400_000)
  })
  return {
    ROI_SIGNING_CERTIFICATE: await file(`${name}.crt`, cert),
    ROI_SIGNING_KEY: await file(`${name}.key`, key)
  }
}

type Environment = Readonly<Record<string, string>>

const start = (cluster: Cluster, environment: Environment, program?: string) =>
  startService(
    { url: () => operator(cluster).DATABASE_APP_URL, caCertificate: readFileSync(cluster.authority, "utf8") },
    environment,
    program
  )

/** The processes behind a balancer. A client whose connection fails is sent to the other one. */
class Processes {
  readonly running: Array<Service> = []
  /** Requests that got another answer than the expected one from every process. */
  readonly lost: Array<string> = []
  answered = 0

  async ask(...[method, path, options]: [string, string, Parameters<typeof call>[3]?]): Promise<Answer> {
    let failure: unknown
    for (let turn = 0; turn < 4; turn++) {
      const service = this.running[turn % this.running.length]!
      try {
        return await call(service, method, path, options)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** Reads on while `work` is done, and asserts that each read was answered. */
  async serving<A>(
    reads: ReadonlyArray<readonly [path: string, headers: Record<string, string>]>,
    work: () => Promise<A>
  ) {
    const state = { isOver: false }
    const load = reads.map(async ([path, headers]) => {
      while (!state.isOver) {
        const outcome = await this.ask("GET", path, { headers }).then(
          ({ status }) => `${status}`,
          (error) => `${error}`
        )
        if (outcome === "200") this.answered++
        else this.lost.push(`${path}: ${outcome}`)
        // A person may read 600 times a minute.
        await setTimeout(250)
      }
    })
    const before = this.answered
    const done = await work().finally(() => {
      state.isOver = true
    })
    await Promise.all(load)
    assert.deepStrictEqual(this.lost, [])
    assert.isAbove(this.answered, before)
    return done
  }

  /** Replaces the processes one after the other, as "Rollout" says. */
  async replace(make: () => Promise<Service>) {
    for (let index = 0; index < this.running.length; index++) {
      const [old] = this.running.splice(index, 1)
      assert.strictEqual(await old!.stop(), 0)
      this.running.splice(index, 0, await make())
    }
  }
}

const ofTheMonth = "icn-of-the-month"

const asOperator = async (service: Service, method: string, path: string, body?: unknown) => {
  const answer = await call(service, method, `/api/admin${path}`, {
    headers: asAdmin,
    ...(body === undefined ? {} : { body })
  })
  assert.isBelow(answer.status, 300, answer.text)
  return answer.json
}

const signIn = async (service: Service, vaPatientId = ofTheMonth): Promise<SignedIn> => {
  const { json } = await call(service, "POST", "/api/auth/veteran/session", {
    headers: { "x-veteran-session-exchange": production.VETERAN_SESSION_EXCHANGE_SECRET },
    body: { vaPatientId }
  })
  return { id: json.veteran.id, token: json.accessToken, headers: bearer(json.accessToken) }
}

const checkpoint = async (service: Service) => (await fetch(`${service.url}/api/proofs/checkpoint`)).text()

const sizeOf = (checkpoint: string) => Number(checkpoint.split("\n")[1])

const drain = async (service: Service) => {
  const { status } = await call(service, "POST", "/api/internal/proofs/drain", {
    headers: { "x-proof-drainer-secret": production.PROOF_DRAINER_SECRET }
  })
  assert.strictEqual(status, 200)
}

const isGenuine = async (service: Service, documentId: string, bytes: Uint8Array) => {
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  return (await call(service, "POST", "/api/releases/verify", { body: { documentId, sha256 } })).json.genuine
}

const psql = (cluster: Cluster, statement: string) =>
  shell(`psql "$URL" -AXtc "$STATEMENT"`, {
    ...operator(cluster),
    URL: operator(cluster).ADMIN_URL.replace("/postgres?", "/vrss?"),
    STATEMENT: statement
  })

const former = noServer ? undefined : formerCommit()

test.skipIf(noServer || former === undefined)(
  `an operator deploys, upgrades, renews, rotates and restores by the page's own commands, and loses no request${needsServer}`,
  async () => {
    const [roles, migrate, look] = commandsOf("First deployment")
    const [, , distrust, restoredCheckpoint] = commandsOf("Backup and restore")
    const [archive, baseBackup, restore] = commandsOf("To a point in time")
    const mailbox = await used(openMailbox({ secure: "smtps" }))
    const logName = "records.example.org/disclosures"
    const [oldKey, newKey] = production.TOKEN_ENCRYPTION_KEY.split(",") as [string, string]
    const shared = {
      ...production,
      TOKEN_ENCRYPTION_KEY: oldKey,
      HOME: root,
      INTERNAL_ADMIN_SECRET: adminSecret,
      PROOF_SIGNING_KEY: generateKey(logName)!,
      SMTP_URL: mailbox.url,
      SMTP_CA_CERT: await file("mail.pem", mailbox.authority),
      TRUSTED_PROXY_HOPS: "1",
      MAX_CONNECTIONS: "200",
      MAX_CONNECTIONS_PER_ADDRESS: "50",
      BACKUP: join(root, "backup"),
      ...await certificate("first")
    }
    const cluster = await used(openCluster(root, "primary"))
    for (const folder of ["", "wal", "wal-after"]) {
      await mkdir(join(shared.BACKUP, folder), { mode: 0o755 })
      execFileSync("chown", [`${cluster.user.uid ?? process.getuid!()}`, join(shared.BACKUP, folder)])
    }
    let configuration: Environment = { ...shared, ...operator(cluster), UPLOAD_DIR: join(root, "uploads") }
    await mkdir(configuration["UPLOAD_DIR"]!, { mode: 0o700 })
    const doctor = async () => assert.match(await shell(look!, configuration), /^sound: \d+ checks found nothing\n$/)

    // Day 1: the first deployment, with the release before the newest migration.
    const old = await formerRelease(former!)
    await shell(roles!, configuration)
    await shell(archive!, configuration)
    await cluster.restart()
    assert.strictEqual(migrate, "npm run --silent migrate\n")
    const names = (await shell("npm run --silent migrate -- --list-pending", configuration, { cwd: old })).trim()
    await shell(`npm run --silent migrate -- --expect ${names.split("\n").join(",")}`, configuration, { cwd: old })
    const behind = new Processes()
    for (let n = 0; n < 2; n++) behind.running.push(await start(cluster, configuration, join(old, "src/main.ts")))
    const [first] = behind.running as [Service]
    await call(first, "POST", "/api/admin/veterans", {
      headers: asAdmin,
      body: { vaPatientId: ofTheMonth, callSign: "Eagle", email: "eagle@example.org" }
    })
    let veteran = await signIn(first)
    const provider = await signInProvider(first)
    await sync(first, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "a")] })
    await giveGrant(first, veteran, provider)
    const letter = (await upload(first, veteran, "a letter")).json.id
    const recordPath = `/api/provider/patients/${veteran.id}/record`
    const reads = () => [["/api/veteran/me", veteran.headers], [recordPath, provider.headers]] as const

    // Day 5: an upgrade by what is pending, while both processes of the old release serve.
    const pending = (await shell("npm run --silent migrate -- --list-pending", configuration)).trim().split("\n")
    assert.deepStrictEqual(pending, migrations.filter((name) => !readdirSync(join(old, "migrations")).includes(name)))
    assert.isAbove(pending.length, 0)
    await behind.serving(reads(), async () => {
      assert.match(
        await shell(`${look!.trim()} || true`, configuration),
        /migration/,
        "the doctor of the new release names what is pending"
      )
      await shell(`npm run --silent migrate -- --expect ${pending.join(",")}`, configuration)
      await doctor()
      await behind.replace(() => start(cluster, configuration))
    })

    // Day 6: a new provider chooses a password by a mailed link, is disabled by mistake, and enabled again.
    const [clinic] = behind.running as [Service]
    const email = "new.doctor@clinic.example"
    const registered = await asOperator(clinic, "POST", "/providers", {
      email,
      displayName: "Dr. New Doctor",
      organization: "Gray Clinic"
    })
    const token = await until("the link is mailed", () => {
      const mail = mailbox.mails.find(({ recipients }) => recipients.includes(email))
      return Promise.resolve(/\/password#([\w-]{43})/.exec(mail?.text ?? "")?.[1])
    })
    const password = "a long one for the month"
    const chosen = await call(clinic, "POST", "/api/provider/password/set", { body: { token, password } })
    assert.strictEqual(chosen.status, 204, chosen.text)
    const login = async () => (await call(clinic, "POST", "/api/provider/login", { body: { email, password } })).status
    assert.strictEqual(await login(), 200)
    await asOperator(clinic, "POST", `/providers/${registered.id}/disable`)
    assert.notStrictEqual(await login(), 200)
    await asOperator(clinic, "POST", `/providers/${registered.id}/enable`)
    assert.strictEqual(await login(), 200)

    // Day 7: the veteran loses the phone, gets another one and has a new address. The old address is told, too.
    const ended = await asOperator(clinic, "POST", `/veterans/${veteran.id}/end-access`)
    assert.strictEqual(ended.grants, 1)
    assert.strictEqual((await call(clinic, "GET", "/api/veteran/me", { headers: veteran.headers })).status, 401)
    assert.strictEqual((await call(clinic, "GET", recordPath, { headers: provider.headers })).status, 403)
    await asOperator(clinic, "PATCH", `/veterans/${veteran.id}`, { email: "eagle@new.example" })
    await until("both addresses are told", () => {
      const told = new Set(mailbox.mails.flatMap(({ recipients }) => recipients))
      return Promise.resolve(told.has("eagle@example.org") && told.has("eagle@new.example"))
    })
    veteran = await signIn(clinic)
    await giveGrant(clinic, veteran, provider)

    // Day 8: the weekly base backup, and the files.
    await shell(baseBackup!, configuration, { cwd: "/", user: cluster.user })
    const [service] = behind.running as [Service]
    const before = (await signed(service, veteran, { incompleteRecordConfirmed: true })).document.id
    const contentOf = (id: string) => `/api/veteran/me/documents/${id}/content`
    const sealedBefore = (await download(service, veteran, contentOf(before))).bytes

    // Day 12: the certificate that seals releases is renewed. Earlier seals stay what they are. The same restart takes
    // the first of the four steps of "Key rotation": the new key is known.
    configuration = {
      ...configuration,
      ...await certificate("second"),
      TOKEN_ENCRYPTION_KEY: `${oldKey},${newKey}`
    }
    await doctor()
    await behind.serving(reads(), () => behind.replace(() => start(cluster, configuration)))
    const [renewed] = behind.running as [Service]
    const after = (await signed(renewed, veteran, { incompleteRecordConfirmed: true })).document.id
    const sealedAfter = (await download(renewed, veteran, contentOf(after))).bytes
    assert.isTrue(await isGenuine(renewed, before, sealedBefore))
    assert.isTrue(await isGenuine(renewed, after, sealedAfter))
    assert.include(sealedAfter.toString("latin1"), Buffer.from("second").toString("hex"))

    // Day 15: the key is replaced in the other three steps, while both processes serve.
    await behind.serving(reads(), async () => {
      configuration = { ...configuration, TOKEN_ENCRYPTION_KEY: `${newKey},${oldKey}` }
      await behind.replace(() => start(cluster, configuration))
      const rotation = { ...configuration, MIGRATION_DATABASE_URL: operator(cluster).ROTATE_URL }
      await shell("npm run --silent rotate-keys", rotation)
      configuration = { ...configuration, TOKEN_ENCRYPTION_KEY: newKey }
      await behind.replace(() => start(cluster, configuration))
    })
    await doctor()

    // Day 16: another veteran asks to be forgotten. The 72 hours are cut short here.
    const [office] = behind.running as [Service]
    const leaving = await asOperator(office, "POST", "/veterans", {
      vaPatientId: "icn-who-leaves",
      callSign: "Falcon",
      email: "falcon@example.org"
    })
    const falcon = await signIn(office, "icn-who-leaves")
    await sync(office, falcon, { Condition: "complete" }, { Condition: [resource("Condition", "b")] })
    await upload(office, falcon, "a letter of the one who leaves")
    await asOperator(office, "POST", `/veterans/${leaving.id}/deletion`, { reason: "asked by letter" })
    await psql(cluster, `update veteran_deletions set ends_at = clock_timestamp() where veteran_id = '${leaving.id}'`)
    const rest = `select count(*) filter (where deleted_at is null), count(i.veteran_id)
      from veterans v left join health_record_items i on i.veteran_id = v.id where v.id = '${leaving.id}'`
    await until("the veteran is forgotten", async () => (await psql(cluster, rest)) === "0|0\n")

    // Day 20: everything after a moment is lost. The operator kept a checkpoint from after that moment.
    const [last] = behind.running as [Service]
    const link = await createLink(last, veteran, { documentId: after })
    await drain(last)
    const [kept, moment] = [await checkpoint(last), (await psql(cluster, "select now()")).trim()]
    await setTimeout(1_100)
    assert.strictEqual((await revokeLink(last, veteran, link)).status, 200)
    const lost = (await upload(last, veteran, "after the moment")).json.id
    await drain(last)
    const newest = await checkpoint(last)
    const key = (await (await fetch(`${last.url}/api/proofs/key`)).text()).trim()
    assert.isAbove(sizeOf(newest), sizeOf(kept))
    const segment = (await psql(cluster, "select pg_walfile_name(pg_switch_wal())")).trim()
    await until("the log is archived", async () => readdirSync(join(shared.BACKUP, "wal")).includes(segment))
    for (const one of behind.running) await one.stop()
    await cluster.close()

    const restored = await used(
      openCluster(
        root,
        "restored",
        (data, user) => shell(restore!, { ...configuration, DATA: data, MOMENT: moment }, { cwd: "/", user })
      )
    )
    await until(
      "the restored database is no longer in recovery",
      async () => (await psql(restored, "select pg_is_in_recovery()")) === "f\n"
    )
    configuration = { ...configuration, ...operator(restored) }
    await shell(distrust!, configuration)
    assert.match(await shell("npm run --silent doctor -- --deep", configuration), /^sound: /)

    // The tree is shorter than the checkpoint that was kept, so it must not go on under the same key. The operator must
    // know this before the first start, because a process drains at once: what was just ended are new events.
    const short = `${(await shell(restoredCheckpoint!, configuration)).trimEnd()}\n`
    assert.isBelow(sizeOf(short), sizeOf(newest))
    assert.strictEqual(sizeOf(short), sizeOf(kept))
    const compared = { KEY: key, OLDER: await file("newest.txt", newest), NEWER: await file("short.txt", short) }
    assert.match(
      await shell(
        `npm run --silent verify-proof -- --key "$KEY" --older "$OLDER" --newer "$NEWER" 2>&1 || true`,
        compared
      ),
      /older|smaller|larger|consisten/i
    )
    configuration = { ...configuration, PROOF_SIGNING_KEY: generateKey(`${logName}-2`)! }
    const again = await start(restored, configuration)
    await drain(again)
    const continued = await checkpoint(again)
    assert.match(continued, /^records\.example\.org\/disclosures-2\n/)
    assert.isAbove(sizeOf(continued), sizeOf(kept), "what was ended after the restore is in the account")

    // What was there at the moment is there, what came later is not, and what could have been revoked is.
    const back = await signIn(again)
    assert.strictEqual((await download(again, back, contentOf(letter))).bytes.toString(), "a letter")
    assert.isTrue((await download(again, back, contentOf(after))).bytes.equals(sealedAfter))
    assert.strictEqual((await download(again, back, contentOf(lost))).status, 404)
    assert.strictEqual((await step(again, "open", { token: link.token })).status, 410)
    assert.strictEqual((await call(again, "GET", recordPath, { headers: provider.headers })).status, 401)
    await again.stop()
    await doctor()
  },
  900_000
)
