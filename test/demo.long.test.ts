import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, test } from "vitest"
import { demoProvider } from "../src/demo/DemoAccounts.ts"
import { releasedEntries } from "./http/release/ReleasedRecords.ts"
import { openApp, openOwnApp } from "./support/App.ts"
import { asAdmin, bearer, call, giveGrant, signIn } from "./support/Client.ts"
import { programFile } from "./support/Environment.ts"
import { adminSecret, exchangeSecret } from "./support/Service.ts"

const { service } = await openOwnApp()

const secrets = { VETERAN_SESSION_EXCHANGE_SECRET: exchangeSecret, INTERNAL_ADMIN_SECRET: adminSecret }

const demoWith = (environment: Record<string, string | undefined>, ...args: ReadonlyArray<string>) =>
  promisify(execFile)(process.execPath, [programFile("demo"), ...args], {
    cwd: service.directory,
    env: { ...process.env, ...environment }
  })

const demo = (...args: ReadonlyArray<string>) =>
  demoWith(secrets, ...args).catch((error) => {
    throw Object.assign(error, { message: `${error.message}${error.stdout}` })
  })

const registered = async (url: string, kind: "providers" | "veterans", body: object) => {
  const answer = await call({ url }, "POST", `/api/admin/${kind}`, { headers: asAdmin, body })
  assert.strictEqual(answer.status, 201, answer.text)
  return answer.json
}

const list = async (path: string) =>
  (await call(service, "GET", `/api/admin/${path}`, { headers: asAdmin })).json.items as ReadonlyArray<any>

describe("npm run demo", () => {
  test("shows the main use case on a running service, from sync and consent to revoke and refusal", async () => {
    await registered(service.url, "providers", { ...demoProvider, email: "dr.0123abcd@clinic.example" })
    // Otherwise the demo would sign in as the demo provider, and register none.
    const gray = await registered(service.url, "providers", demoProvider)
    await call(service, "POST", `/api/admin/providers/${gray.id}/disable`, { headers: asAdmin })
    const { stdout } = await demo("--url", service.url)
    const lines = stdout.split("\n").map((line) => line.trim())
    const inOrder = [
      "Observation: page 1, 30 resources",
      "Observation: partial, 30 resources (30 of 76 arrived)",
      "Condition: unknown -> complete, 14 stored, 0 unchanged, 0 deactivated, 0 skipped",
      "Observation: unknown -> partial, 30 stored, 0 unchanged, 0 deactivated, 0 skipped",
      "Condition: complete, 14 items (14 on this page)",
      "Condition: unavailable, 0 resources (page 1: HTTP status 502)",
      "Condition: complete -> stale, 0 stored, 0 unchanged, 0 deactivated, 0 skipped",
      "Procedure: complete -> complete, 0 stored, 19 unchanged, 0 deactivated, 0 skipped",
      "! Condition: the data shown comes from the last complete sync; the most recent fetch was incomplete.",
      "the veteran's copy: .data/demo/release-of-information.pdf",
      "the recipient's copy: .data/demo/recipients-copy.pdf",
      "with it: .data/demo/authorization.json",
      "with it: .data/demo/record.fhir.json",
      "again: ViewSessionUsed: The document was sent under this view session already. Ask for a new code to see it again.",
      "genuine: the recipient's copy, in_force",
      "Problems: 14",
      "2014-11-27 13:24:55 UTC | Naproxen sodium 220 MG Oral Tablet | Active | Dosage: Once per day.",
      "Immunizations: 16",
      "... and 13 more",
      "Vital signs: 30",
      "release: revoked",
      "link: LinkDisabled",
      "ConsentRequired: No active consent grant of this veteran covers what is asked.",
      "the app may read: launch/patient patient/Observation.rs",
      "laboratory, newest first:",
      "none in this record; ask the patient",
      "vital-signs, newest first:",
      "the veteran's consents: Sample App, launch/patient patient/Observation.rs, active",
      "once the veteran has ended it: 401 login",
      "the portal: http://localhost:8081",
      "== Done"
    ]
    let from = 0
    for (const expected of inOrder) {
      const at = lines.indexOf(expected, from)
      assert.isAtLeast(at, from, `'${expected}' in\n${stdout}`)
      from = at + 1
    }
    for (const line of lines) assert.isAtMost([...line].length, 140, line)
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    const record = await readFile(join(service.directory, ".data/demo/record.fhir.json"), "utf8")
    assert.deepStrictEqual([JSON.parse(record).type, releasedEntries(record).length], ["collection", 86])
    const release = await readFile(join(service.directory, ".data/demo/release-of-information.pdf"), "latin1")
    assert.match(release, /^%PDF-.*ETSI\.CAdES\.detached/s)
  })

  test("takes away what a demo left, and nothing else", async () => {
    const { stdout } = await demo("--url", service.url, "--clean")
    const providers = await list("providers")
    const left = providers.filter(({ disabledAt }) => disabledAt === null)
    assert.deepStrictEqual(left.map(({ email }) => email), ["dr.0123abcd@clinic.example"])
    const [app, ...more] = await list("oauth-clients")
    assert.deepStrictEqual([app.name, typeof app.disabledAt, more], ["Sample App", "string", []])
    const { email } = providers.find(({ email }) => /^dr\.[0-9a-f]{8}@demo/.test(email))
    const [veteran] = await list("veterans")
    for (const line of [`app ${app.clientId}: disabled`, `provider ${email}: disabled`]) {
      assert.include(stdout, `   ${line}\n`)
    }
    const deletion = await call(service, "GET", `/api/admin/veterans/${veteran.id}/deletion`, { headers: asAdmin })
    assert.include(
      stdout,
      `   veteran ${veteran.vaPatientId}: all sharing has ended, and the record goes at ${deletion.json.endsAt}\n`
    )
    const again = (await demo("--url", service.url, "--clean")).stdout
    assert.notMatch(again, /disabled|sharing/)
  })

  test("is refused against a service for others, and with --yes says that its public address does not answer", async () => {
    const publicUrl = "https://records.nowhere.example"
    const { service: own } = await openApp({ OAUTH_ISSUER: `${publicUrl}/api/oauth` })
    const refused = await demo("--url", own.url).then(() => assert.fail("the demo played"), (error) => error)
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.strictEqual(
      refused.stderr,
      `${publicUrl} is no service for this machine alone. The demo would leave a veteran, a provider and an app on it: ` +
        `add --yes to play all the same, and afterwards npm run demo -- --clean --url ${own.url}\n`
    )
    // The demo signs in as this provider, whose list has a patient with the first call sign that a demo gives.
    const provider = await registered(own.url, "providers", demoProvider)
    const falcon = { vaPatientId: "falcon", callSign: "Falcon One", email: "falcon@example.org" }
    await giveGrant(own, await signIn(own, { ...await registered(own.url, "veterans", falcon), ...falcon }), provider)
    const { stderr, stdout } = await demo("--url", own.url, "--yes", "--patient", "va-mock-986500")
    assert.match(
      stdout,
      /^ {3}https:\/\/records\.nowhere\.example, the address of OAUTH_ISSUER, does not answer from here \([A-Z_]+\): no app$/m
    )
    assert.match(stdout, /== Done\n$/)
    assert.strictEqual(stderr, "")
    // This patient has nothing, and gets another call sign than the first one in the provider's list.
    assert.include(stdout, "Condition: unknown -> empty, 0 stored, 0 unchanged, 0 deactivated, 0 skipped")
    const told = (name: string) => new RegExp(`^   ${name}: +(.*)$`, "m").exec(stdout)![1]!
    const signedIn = await call(own, "POST", "/api/provider/login", {
      body: { email: told("sign in"), password: told("password") }
    })
    const headers = bearer(signedIn.json.accessToken)
    const { items } = (await call(own, "GET", "/api/provider/patients", { headers })).json
    const names = items.map(({ callSign }: { readonly callSign: string }) => callSign)
    assert.sameMembers(names, ["Falcon One", "Osprey One"])
  })

  test("explains its options", async () => {
    const { stdout } = await demo("--help")
    assert.include(stdout, "--patients")
    assert.include(stdout, "--url")
  })

  test.each<[string, Record<string, string | undefined>, (url: string) => string, (url: string) => string]>([
    [
      "no exchange secret",
      { VETERAN_SESSION_EXCHANGE_SECRET: undefined },
      (url) => url,
      () => "VETERAN_SESSION_EXCHANGE_SECRET is missing: --url needs it, as the welcome of npm start shows it"
    ],
    [
      "an empty admin secret",
      { INTERNAL_ADMIN_SECRET: "" },
      (url) => url,
      () => "INTERNAL_ADMIN_SECRET is missing: --url needs it, as the welcome of npm start shows it"
    ],
    [
      "a wrong exchange secret",
      { VETERAN_SESSION_EXCHANGE_SECRET: "canary" },
      (url) => url,
      (url) => `VETERAN_SESSION_EXCHANGE_SECRET is not the one of ${url}`
    ],
    [
      "a wrong admin secret",
      { INTERNAL_ADMIN_SECRET: "canary" },
      (url) => url,
      (url) => `INTERNAL_ADMIN_SECRET is not the one of ${url}`
    ],
    ["a text that is no URL", {}, () => "canary", () => "--url must be a URL such as http://localhost:8080"],
    [
      "a URL where nothing listens",
      {},
      () => "http://localhost:1",
      () => "no service of this version answers at http://localhost:1"
    ]
  ])("given %s for a running service ends with one line that says so", async (_, changes, url, line) => {
    const failed = await demoWith({ ...secrets, ...changes }, "--url", url(service.url)).then(
      () => assert.fail("the demo played"),
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error
    )
    assert.deepStrictEqual([failed.code, failed.stdout, failed.stderr], [1, "", `${line(service.url)}\n`])
  })
})
