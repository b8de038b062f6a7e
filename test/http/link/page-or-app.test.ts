import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { signed } from "../release/Releases.ts"
import { type AppLink, askManifest, codeFor, createAppLink, mailedCode } from "./AppLinks.ts"
import { challenge, createLink, expire, mailsOf, revokeLink, step, view, waitForNextCode, wrong } from "./Links.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId: string = (await signed(service, veteran)).document.id

let link: AppLink

beforeEach(async () => {
  link = await createAppLink(service, veteran, { documentId })
})

const inApp = (passcode: string) => askManifest(service, link, { passcode })

/** Enters a code on the page, which did not ask for it and so has no challenge. */
const onPage = (code: string, { token }: { readonly token: string } = link) =>
  step(service, "otp/verify", { token, code })

const refusalOf = async (answer: ReturnType<typeof step>) => {
  const { json, status } = await answer
  const { requestId: _, ...body } = json
  return { status, ...body }
}

const invalid = (attemptsLeft: number) => ({
  status: 401,
  error: "otp_invalid",
  message: "The code is wrong, used or expired.",
  attemptsLeft
})

const opensOnPage = async (code: string) => {
  const answer = await onPage(code)
  assert.strictEqual(answer.status, 200, answer.text)
  assert.deepStrictEqual(Object.keys(answer.json), ["viewSession", "expiresIn"])
  const { bytes, status } = await view(service, answer.json.viewSession)
  assert.strictEqual(status, 200)
  assert.strictEqual(bytes.subarray(0, 5).toString(), "%PDF-")
}

describe("A code of a SMART Health Link that the page did not ask for", () => {
  test("opens the document on the page once if an app asked for it", async () => {
    const code = await codeFor(service, link)
    await opensOnPage(code)
    assert.deepStrictEqual(await refusalOf(onPage(code)), invalid(0))
    assert.strictEqual((await inApp(code)).status, 401)
  })

  test("opens the document on the page once if the veteran had it sent", async () => {
    const path = `/api/veteran/me/secure-links/${link.id}/code`
    assert.strictEqual((await call(service, "POST", path, { headers: veteran.headers })).status, 202)
    const code = await mailedCode(service, link)
    await opensOnPage(`${code.slice(0, 4)} ${code.slice(4)}`)
    assert.deepStrictEqual(await refusalOf(onPage(code)), invalid(0))
  })

  test("has five wrong tries for page and app together, which both count for the link", async () => {
    const code = await codeFor(service, link)
    const { code: other } = wrong({ code })
    assert.strictEqual((await inApp(other)).json.remainingAttempts, 14)
    assert.deepStrictEqual(await refusalOf(onPage(other)), invalid(3))
    assert.strictEqual((await inApp(other)).json.remainingAttempts, 12)
    assert.deepStrictEqual(await refusalOf(onPage(other)), invalid(1))
    assert.deepStrictEqual(await refusalOf(onPage(other)), invalid(0))
    assert.deepStrictEqual(await refusalOf(onPage(code)), invalid(0))
    const next = await inApp(code)
    assert.deepInclude(next.json, { error: "otp_invalid", remainingAttempts: 10 })
  })

  test("opens one of page and app if both send it at once, many times", async () => {
    const code = await codeFor(service, link)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => index % 2 === 0 ? onPage(code) : inApp(code))
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, ...Array(15).fill(401)])
  })

  test("is the newest one: another that the page asked for ends it", async () => {
    const first = await codeFor(service, link)
    await waitForNextCode(superuser, link)
    const second = await challenge(service, link)
    assert.deepStrictEqual(await refusalOf(onPage(first)), invalid(4))
    await opensOnPage(second.code)
  })

  test("lapses after ten minutes", async () => {
    const code = await codeFor(service, link)
    await waitForNextCode(superuser, link, 601)
    assert.deepStrictEqual(await refusalOf(onPage(code)), invalid(0))
  })
})

describe("While no code is out", () => {
  test("a code on the page is refused, counts no try of the link and mails nothing", async () => {
    assert.deepStrictEqual(await refusalOf(onPage("12345678")), invalid(0))
    const mails = await mailsOf(service)
    assert.isFalse(mails.some(({ headers }) => headers.get("to")!.includes(link.recipientEmail)))
    assert.strictEqual((await askManifest(service, link)).json.remainingAttempts, 15)
  })
})

describe("A link that has ended", () => {
  test("answers the page 410, without a challenge too", async () => {
    const code = await codeFor(service, link)
    await revokeLink(service, veteran, link)
    assert.strictEqual((await refusalOf(onPage(code))).error, "link_disabled")
    const second = await createAppLink(service, veteran, { documentId })
    await expire(superuser, "secure_links.expires_at", second.id)
    assert.strictEqual((await refusalOf(onPage("12345678", second))).error, "link_expired")
  })
})

describe("A link that is no SMART Health Link", () => {
  test("needs the challenge as ever, and so does a token that never was", async () => {
    const plain = await createLink(service, veteran, { documentId })
    const { code } = await challenge(service, plain)
    for (const { token } of [plain, { token: "A".repeat(43) }]) {
      assert.deepStrictEqual(await refusalOf(onPage(code, { token })), {
        status: 400,
        error: "invalid_request",
        message: "The request does not fit the schema: see 'issues'.",
        issues: [{ path: ["challengeId"], message: "Missing key" }]
      })
    }
  })
})
