import { createHash, createHmac, randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, onTestFinished, test, vi } from "vitest"
import { parsePrivateKey } from "../src/services/ledger/SignedNote.ts"
import { type Block, blocksOf, pages, root } from "./docs/Pages.ts"
import { atEnd, openDatabase, openFolder, openOwnApp, openService } from "./support/App.ts"
import { call, signInVeteran } from "./support/Client.ts"
import { deployment } from "./support/Deployment.ts"
import { describeWith } from "./support/DescribeWith.ts"
import { noPgBouncer, openPgBouncer } from "./support/PgBouncer.ts"
import { isMissing } from "./support/Programs.ts"
import { startCommand } from "./support/RunProgram.ts"
import { adminSecret, startService } from "./support/Service.ts"
import { sync } from "./support/Sync.ts"
import { until } from "./support/Until.ts"
import { noNginx, startNginx } from "./web/Nginx.ts"

const marked = pages.flatMap(blocksOf).filter(({ mark }) => mark === "run by test/docs-commands.long.test.ts")

const taken = new Set<Block>()

/** Returns the blocks of a section that are marked for this file, and records them in `taken`. The caller runs them. */
const take = (page: string, section: string) => {
  const blocks = marked.filter((block) => block.page === page && block.section === section)
  blocks.forEach((block) => taken.add(block))
  return blocks.map(({ text }) => text)
}

/** Runs commands in bash, as a reader does who copies them. */
const shell = (commands: string, environment: Record<string, string | undefined> = {}) =>
  startCommand("bash", ["--norc", "-uo", "pipefail", "-c", commands], { cwd: root, environment }).outcome

const blocks = {
  secrets: take("docs/operator.md", "Configuration"),
  accounts: take("docs/operator.md", "Accounts"),
  people: take("docs/operator.md", "People"),
  enrolment: take("docs/operator.md", "Enrolment of veterans"),
  lostPhone: take("docs/operator.md", "A lost phone"),
  deletion: take("docs/operator.md", "Deletion of a veteran"),
  apps: take("docs/operator.md", "Apps"),
  walls: take("docs/operator.md", "The walls in their order"),
  poolers: take("docs/operator.md", "Processes and poolers"),
  proxy: take("docs/operator.md", "The API behind a proxy"),
  production: take("README.md", "Run it in production"),
  digest: take("docs/client-author.md", "The page that verifies"),
  shlink: take("docs/client-author.md", "A health app")
}

test("This file runs each command block that names this file", () => {
  assert.deepStrictEqual(marked.filter((block) => !taken.has(block)), [])
  assert.isAtLeast(taken.size, 10)
})

const own = await openOwnApp()

const noCurl = ["curl", "openssl"].some(isMissing)

describeWith(noCurl, "The commands of the page for the operator (need curl and openssl)", () => {
  const { database, service } = own
  const environment = { URL: service.url, INTERNAL_ADMIN_SECRET: adminSecret }

  /** Runs a block of `curl` commands and returns the answers. */
  const answersOf = async (commands: string, id = "", more: Record<string, string> = {}) => {
    const { code, stderr, stdout } = await shell(commands.trimEnd().replaceAll(/(?<!\\)$/gm, "; echo"), {
      ...environment,
      ...more,
      ID: id
    })
    assert.strictEqual(code, 0, stderr)
    return stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
  }

  test("make a key and secrets that the service accepts", async () => {
    const { code, stderr, stdout } = await shell(blocks.secrets[0]!)
    const [key, secret, proofKey, ...more] = stdout.trimEnd().split("\n")
    assert.deepStrictEqual([code, more], [0, []])
    assert.strictEqual(Buffer.from(/^k1:(.*)$/.exec(key!)![1]!, "base64").length, 32)
    assert.isAtLeast(secret!.length, 32)
    assert.isDefined(parsePrivateKey(proofKey!))
    assert.match(stderr, /^public key: /)
  })

  test("register a veteran and a provider, mail the provider a link, and disable the provider", async () => {
    const [register, link, disable] = blocks.accounts
    const [veteran, provider] = await answersOf(register!)
    assert.strictEqual(veteran.callSign, "Eagle One")
    assert.deepStrictEqual(await answersOf(link!, provider.id), [{ status: "accepted" }])
    const [disabled] = await answersOf(disable!, provider.id)
    assert.deepStrictEqual([disabled.id, typeof disabled.disabledAt], [provider.id, "string"])
  })

  test("find a person by the program, and tell what was done to them", async () => {
    const own = { OPERATOR_URL: service.url, OPERATOR_SECRET: adminSecret }
    const { code, stderr, stdout } = await shell(blocks.people[0]!, own)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /Eagle One.*\n.*\n.*veteran_registered/)
  })

  test("make a pairing code, list and remove an account of the VA, and change a veteran's number", async () => {
    const [make, remove, change] = blocks.enrolment
    const { json: { id } } = await call(service, "POST", "/api/admin/veterans", {
      headers: { "x-internal-admin-secret": adminSecret },
      body: { vaPatientId: "icn-to-merge", callSign: "Hawk", email: "hawk@example.org" }
    })
    const runtime = await database.connect("runtime")
    await runtime.query("select app.pair_by_hand($1, gen_random_uuid(), 'https://va.example', sha256('hawk'))", [id])
    const [{ code }, { items: [identity] }] = await answersOf(make!, id)
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{12}$/)
    assert.deepStrictEqual([identity.issuer, identity.how], ["https://va.example", "operator"])
    assert.deepStrictEqual(await answersOf(remove!, id, { IDENTITY: identity.id }), [])
    const [, { items }] = await answersOf(make!, id)
    assert.deepStrictEqual(items, [])
    const [veteran] = await answersOf(change!, id)
    assert.deepStrictEqual([veteran.id, veteran.vaPatientId], [id, "1012345678V999999"])
  })

  test("end a veteran's access, ask for their deletion and cancel it", async () => {
    const { id } = await signInVeteran(service)
    assert.deepStrictEqual(await answersOf(blocks.lostPhone[0]!, id), [
      { sessions: 0, grants: 0, apps: 0, links: 0, releases: 0 }
    ])
    const [asked, found, ...more] = await answersOf(blocks.deletion[0]!, id)
    assert.deepStrictEqual([found, more], [asked, []])
    assert.closeTo(Date.parse(asked.endsAt) - Date.now(), 72 * 3_600_000, 60_000)
  })

  test("register an app, list the apps, replace the app's secret and disable it", async () => {
    const [register, change] = blocks.apps
    const [app, list] = await answersOf(register!)
    assert.include(list.items.map(({ clientId }: { readonly clientId: string }) => clientId), app.clientId)
    const [, disabled] = await answersOf(change!, app.clientId)
    assert.deepStrictEqual([disabled.clientId, typeof disabled.disabledAt], [app.clientId, "string"])
  })
})

const deployed = await openDatabase()

describe("The commands for production in README", () => {
  test("list migrations, refuse unexpected ones, examine the deployment, and start the service", async () => {
    const base = await deployment(deployed)
    const environment = { ...base, MIGRATION_DATABASE_URL: deployed.url("owner") }
    const [list, expect, doctor, start, ...more] = blocks.production[0]!.trimEnd().split("\n")
    assert.deepStrictEqual(more, [])
    assert.deepStrictEqual(await shell(list!, environment), { code: 0, stdout: "", stderr: "none pending\n" })
    const refused = await shell(expect!, environment)
    assert.strictEqual(refused.code, 2, refused.stderr)
    const examined = await shell(doctor!, environment)
    assert.strictEqual(examined.code, 0, examined.stdout)
    assert.strictEqual(start, "NODE_ENV=production npm start")
    const service = await startService(deployed, base)
    assert.strictEqual(await service.stop(), 0)
  })
})

test("The verification page's script computes a file's SHA-256 and reads the document's id from the URL", async () => {
  const Script = (async () => {}).constructor as FunctionConstructor
  const run = Script("file", "location", `${blocks.digest[0]}; return { sha256, documentId }`)
  const location = { hash: "#4be0643f-1d98-573b-97cd-ca98a65347dd" }
  assert.deepStrictEqual(await run(new Blob(["a release"]), location), {
    sha256: createHash("sha256").update("a release").digest("hex"),
    documentId: location.hash.slice(1)
  })
})

test("The script for a health app's link derives the page's token from the link's key", async () => {
  const Script = (async () => {}).constructor as FunctionConstructor
  const run = Script("SHLINK", `${blocks.shlink[0]}; return linkToken`)
  const key = Buffer.alloc(32, 0xfb)
  const payload = Buffer.from(JSON.stringify({ key: key.toString("base64url") })).toString("base64url")
  assert.strictEqual(
    await run(`shlink:/${payload}`),
    createHmac("sha256", key).update("vrss secure link token").digest("base64url")
  )
})

test("The query for the walls of one database says how near they are", async () => {
  const { rows } = await (await deployed.connect("owner")).query(blocks.walls[0]!)
  assert.strictEqual(rows.length, 1)
  assert.match(rows[0].database, /^\d+ (?:kB|MB)$/)
  assert.match(rows[0].largest_relation_of_32_tib, /^\d+ (?:bytes|kB|MB)$/)
  assert.isAtLeast(Number(rows[0].connections), 1)
  assert.match(rows[0].connections_at_most, /^\d+$/)
  assert.match(rows[0].wal_a_second, / (?:bytes|kB|MB|GB)$/)
  assert.match(rows[0].images_of_pages, /^\d+$/)
})

describe.skipIf(noPgBouncer)("The settings for PgBouncer and the service's role (needs pgbouncer)", () => {
  test("let the service start and answer", async () => {
    const [ini, sql] = blocks.poolers
    const superuser = await deployed.connect("superuser")
    // The run's other databases do without these limits.
    await superuser.query(sql!.replaceAll("vrss_app", `vrss_app in database ${deployed.name}`))
    const settings = ini!.trimEnd().split("\n").filter((line) => !line.startsWith(";")).map((line) => line.split(" = "))
    const pooler = await openPgBouncer(deployed, Object.fromEntries(settings))
    atEnd(pooler.close)
    const service = await openService(pooler)
    assert.strictEqual((await call(service, "GET", "/api/ready")).json.dependencies.database, "ok")
  })
})

describe.skipIf(noNginx)("The nginx configuration for the API (needs nginx)", () => {
  test("passes a large sync, does not let a client forge its address, and logs no query string", async () => {
    const folder = await openFolder()
    const log = join(folder, "api.log")
    const { service } = own
    const veteran = await signInVeteran(service)
    const url = await startNginx(blocks.proxy[0]!, [
      ["server 127.0.0.1:8080;", `server 127.0.0.1:${new URL(service.url).port};`],
      ["/var/log/nginx/api.log", log]
    ])
    const text = "a".repeat(3_000_000)
    const condition = JSON.stringify({ resourceType: "Condition", id: "large", note: [{ text }] })
    // nginx has a self-signed certificate.
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    onTestFinished(() => void vi.unstubAllEnvs())
    await sync({ url }, veteran, { Condition: "complete" }, { Condition: [condition] })
    assert.strictEqual((await call({ url }, "GET", "/api/oauth/authorize?code=canary")).status, 400)
    // Each call claims a different address, which the service must not believe.
    const opened = []
    for (let tries = 0; tries < 31; tries++) {
      const body = { token: randomBytes(32).toString("base64url") }
      opened.push((await call({ url }, "POST", "/api/secure-links/open", { body })).status)
    }
    assert.deepStrictEqual(opened, [...Array<number>(30).fill(404), 429])
    const lines = await until("nginx has logged", async () => {
      const text = await readFile(log, "utf8")
      return text.includes(" 429 ") && text
    })
    assert.match(lines, / POST \/api\/veteran\/me\/health-record\/sync 200 /)
    assert.notInclude(lines, "canary")
  })
})
