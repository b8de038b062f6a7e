import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, onTestFinished, test } from "vitest"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { call } from "./support/Client.ts"
import { createDatabase } from "./support/Database.ts"
import { inherited, programFile } from "./support/Environment.ts"
import { startService } from "./support/Service.ts"

const developmentAdminSecret = "development only, never in production: INTERNAL_ADMIN_SECRET"

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vrss-first-start-"))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs `npm start` in one folder until its welcome appears. */
const start = async (environment: Record<string, string> = {}) => {
  const [port, portalPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [programFile("main")], {
    cwd: folder,
    env: { ...inherited, PORT: `${port}`, PORTAL_PORT: `${portalPort}`, ...environment }
  })
  // A test that fails must leave no process.
  onTestFinished(() => void child.kill("SIGTERM"))
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output += chunk)
  for (let tries = 0; !output.includes("Stop with Ctrl-C"); tries++) {
    if (child.exitCode !== null || tries > 600) throw new Error(`the service did not start:\n${output}`)
    await new Promise((wait) => setTimeout(wait, 100))
  }
  const stop = async () => {
    const exited = once(child, "exit")
    child.kill("SIGTERM")
    await exited
  }
  return { url: `http://localhost:${port}`, portal: `http://localhost:${portalPort}`, welcome: output, stop }
}

/** Signs in at the portal with what the demo printed, finds the patient, and opens the link to the release. */
const openWhatIsLeft = async ({ portal, welcome }: { portal: string; welcome: string }, said: string) => {
  const told = (name: string) => new RegExp(`^   ${name}: +(.*)$`, "m").exec(said)![1]!
  assert.deepStrictEqual([told("the portal"), told("sign in"), told("password")], [
    portal,
    "dr.gray@demo.example",
    "a password for the demo only"
  ])
  assert.include(welcome, `    sign in as     ${told("sign in")}\n    password       ${told("password")}\n`)
  assert.include(said, `its code:   mailed to ${told("sign in")}, into the newest file of .data/mail\n`)
  const { api } = await (await fetch(`${portal}/config.json`)).json() as { api: string }
  const signedIn = await call({ url: api }, "POST", "/api/provider/login", {
    headers: { origin: portal },
    body: { email: told("sign in"), password: told("password") }
  })
  assert.strictEqual(signedIn.headers.get("access-control-allow-origin"), portal)
  const headers = { authorization: `Bearer ${signedIn.json.accessToken}` }
  const { json: { items } } = await call({ url: api }, "GET", "/api/provider/patients", { headers })
  assert.deepStrictEqual(items.map(({ callSign }: { callSign: string }) => callSign), ["Falcon One"])
  const link = new URL(told("the link"))
  assert.strictEqual(`${link.origin}${link.pathname}`, `${portal}/link`)
  assert.strictEqual((await fetch(link)).status, 200)
  const opened = await call({ url: api }, "POST", "/api/secure-links/open", { body: { token: link.hash.slice(1) } })
  assert.strictEqual(opened.status, 200)
  assert.match(opened.json.recipientHint, /^d.*@demo\.example$/)
}

const secretFile = () => join(folder, ".data/veteran-session-exchange-secret")

const shownSecret = (welcome: string) => /Exchange secret {2}([\w-]{32})\n/.exec(welcome)?.[1]

describe("npm start with no secret and no database configured", () => {
  test("keeps the exchange secret over restarts, private to its owner, and prints commands that work", async () => {
    const first = await start({ TRUSTED_PROXY_HOPS: "1", HOST: "localhost" })
    const secret = shownSecret(first.welcome)!
    assert.isDefined(secret, first.welcome)
    assert.strictEqual(await readFile(secretFile(), "utf8"), secret)
    assert.strictEqual((await stat(secretFile())).mode & 0o777, 0o600)
    assert.strictEqual((await stat(join(folder, ".data"))).mode & 0o777, 0o700)
    assert.include(first.welcome, `Admin secret     ${developmentAdminSecret}\n`)
    assert.include(
      first.welcome,
      `  Portal           ${first.portal} (a first start builds its pages, which takes seconds)\n`
    )
    assert.include(first.welcome, `  Secure links     ${first.portal}/link#... (the demo makes one)\n`)
    assert.include(first.welcome, `  Check a document ${first.portal}/verify\n`)

    const command = /^ {5}(VETERAN_SESSION_EXCHANGE_SECRET=[^]*?npm run demo -- --url \S+)$/m.exec(first.welcome)![1]!
    const demo = await promisify(execFile)("sh", [
      "-c",
      command.replace("npm run demo --", `'${process.execPath}' '${programFile("demo")}'`)
    ], { cwd: folder, env: { ...inherited } })
    assert.match(demo.stdout, /== Done\n$/)
    await openWhatIsLeft(first, demo.stdout)
    const session = await call(first, "POST", "/api/auth/veteran/session", {
      headers: { "x-veteran-session-exchange": secret },
      body: { vaPatientId: "demo-veteran" }
    })
    assert.strictEqual(session.json.veteran.callSign, "Eagle One")
    await first.stop()

    const second = await start()
    assert.strictEqual(shownSecret(second.welcome), secret)
    await second.stop()
  })

  test("is refused with one line when the file of the kept secret is empty", async () => {
    await writeFile(secretFile(), "")
    const message = await start().then(({ stop }) => stop(), ({ message }: Error) => message)
    assert.strictEqual(
      message,
      "the service did not start:\nthe exchange secret cannot be kept in .data/veteran-session-exchange-secret: " +
        "set VETERAN_SESSION_EXCHANGE_SECRET, or start in a folder where it can\n"
    )
  })
})

describe("npm start in development with a secret configured", () => {
  test("makes no exchange secret, and does not print a configured secret", async () => {
    await rm(secretFile(), { force: true })
    const configured = "an admin secret that is not to be shown"
    const { stop, url, welcome } = await start({ INTERNAL_ADMIN_SECRET: configured, PORTAL_PORT: "0" })
    assert.notInclude(welcome, configured)
    assert.notInclude(welcome, developmentAdminSecret)
    assert.include(welcome, "not configured: veteran sign-in answers 503")
    // A portal that is not served has nothing to sign in to.
    assert.include(
      welcome,
      "  Portal           not served (PORTAL_PORT)\n" +
        "  Secure links     lead to http://localhost:8081, which this process does not serve\n"
    )
    assert.notMatch(welcome, /sign in as|\/verify/)
    const answer = await call({ url }, "POST", "/api/auth/veteran/session", { body: { vaPatientId: "demo-veteran" } })
    assert.strictEqual(answer.json.error, "session_exchange_not_configured")
    assert.isFalse(await stat(secretFile()).then(() => true, () => false))
    await stop()
  })
})

test("In staging nothing secret is printed, not even a development value", async () => {
  const database = await createDatabase()
  const service = await startService(database, {
    APP_ENV: "staging",
    HOST: "127.0.0.1",
    INTERNAL_ADMIN_SECRET: undefined,
    VETERAN_SESSION_EXCHANGE_SECRET: undefined
  })
  await service.stop()
  assert.include(service.output(), "listening on port")
  assert.notMatch(service.output(), /secret|development only/i)
  await database.close()
})
