import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openService, used } from "../../support/App.ts"
import { assertion } from "../../support/Assertions.ts"
import { call, ownHeaders } from "../../support/Client.ts"
import { openMailbox } from "../../support/Mailbox.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { until } from "../../support/Until.ts"
import {
  approval,
  begin,
  codeFor,
  codeMails,
  over,
  post,
  registerApp,
  registerVeteran,
  submit,
  toldTo
} from "./Asking.ts"

const { database, service } = await openJudgedApp()
const owner = await database.connect("owner")
const app = await registerApp(owner)
const iss = `${service.url}/api/oauth`

describe("A code", () => {
  test("goes to an address typed in any letter case, in a mail that names the app and not the veteran", async () => {
    const { email } = await registerVeteran(service)
    const browser = await begin(service, app)
    const page = await submit(service, "email", browser, { email: email.toUpperCase() })
    assert.strictEqual(page.status, 200)
    assert.notInclude(page.text.toLowerCase(), email)
    const code = await codeFor(service, email)
    const [mail] = await codeMails(service, email)
    assert.strictEqual(mail!.headers.get("subject"), "Your one-time code")
    assert.include(mail!.text.replaceAll(/\s+/g, " "), "the app \"Heart Diary\"")
    assert.notInclude(mail!.raw, "Eagle")
    const spaced = await submit(service, "code", browser, { code: ` ${code.slice(0, 4)} ${code.slice(4)} ` })
    assert.include(spaced.text, "<h1>What may Heart Diary read?</h1>")
  })

  test("is not sent if no veteran or several have the address, and the answers do not reveal it", async () => {
    const shared = `both-${randomUUID()}@example.org`
    await registerVeteran(service, shared)
    await registerVeteran(service, shared)
    const known = await registerVeteran(service)
    const pages = []
    for (const email of [known.email, shared, `nobody-${randomUUID()}@example.org`]) {
      const browser = await begin(service, app)
      const answers = [await submit(service, "email", browser, { email })]
      answers.push(await submit(service, "email", browser, { email }))
      for (let times = 0; times < 5; times++) answers.push(await submit(service, "code", browser, { code: "1" }))
      answers.push(await submit(service, "code", browser, { code: "1" }))
      pages.push(answers.map(({ headers, status, text }) => [
        status,
        text.replaceAll(browser.request, "").replace(/Wait \d+ seconds/, "Wait"),
        ownHeaders({ headers }).map(([name]) => name).sort().join()
      ]))
    }
    assert.deepStrictEqual(pages[0]!.map(([status]) => status), [200, 429, 400, 400, 400, 400, 200, 200])
    assert.deepStrictEqual(pages[1], pages[0])
    assert.deepStrictEqual(pages[2], pages[0])
    await codeFor(service, known.email)
    assert.deepStrictEqual(await codeMails(service, shared), [])
  })

  test("stops working after five wrong attempts, which end the request", async () => {
    const { email } = await registerVeteran(service)
    const browser = await begin(service, app)
    await submit(service, "email", browser, { email })
    const code = await codeFor(service, email)
    const wrong = code === "00000000" ? "11111111" : "00000000"
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(service, "code", browser, { code: wrong }))
    )
    // Four answers bring a problem to the next page; all others lead to the page that says that the request has ended.
    assert.isTrue(answers.every(({ status }) => status === 303))
    assert.lengthOf(answers.filter(({ headers }) => headers.has("set-cookie")), 4)
    over(await submit(service, "code", browser, { code }))
  })

  test("is not valid for another request, for which no code was sent", async () => {
    const { email } = await registerVeteran(service)
    const [one, other] = [await begin(service, app), await begin(service, app)]
    await submit(service, "email", one, { email })
    const code = await codeFor(service, email)
    for (const fields of [{ code }, { code: "" }, [["code", code], ["code", code]] as const]) {
      const { status, text } = await submit(service, "code", other, fields as Record<string, string>)
      assert.strictEqual(status, 400)
      assert.include(text, "That code is not right, or it no longer works.")
    }
  })

  test("expires after ten minutes, and so does its request", async () => {
    const { email } = await registerVeteran(service)
    const browser = await begin(service, app)
    await submit(service, "email", browser, { email })
    const code = await codeFor(service, email)
    await owner.query("update oauth_requests set created_at = created_at - interval '10 minutes'")
    for (const step of ["email", "code", "decision"] as const) {
      over(await submit(service, step, browser, { email, code, decision: "approve" }))
    }
  })
})

describe("A step of the consent pages", () => {
  test("is accepted only from the browser that began the request, and only from a page of the service", async () => {
    const browser = await begin(service, app)
    const other = await begin(service, app)
    const own = new URL(service.url).origin
    for (const step of ["email", "code", "decision"] as const) {
      for (
        const [cookie, origin] of [
          ["", "null"],
          ["vrss-authorize=", "null"],
          [other.cookie, "null"],
          [`${browser.cookie}; ${other.cookie}`, "null"],
          [browser.cookie, "https://evil.example"],
          [browser.cookie, "http://localhost:1"],
          [browser.cookie, `${own}.evil.example`]
        ] as const
      ) {
        const { headers, status, text } = await submit(service, step, { ...browser, cookie }, { decision: "deny" }, {
          origin
        })
        assert.deepStrictEqual([status, headers.get("location")], [403, null], `${step} ${cookie} ${origin}`)
        assert.include(text, "<h1>This request began somewhere else</h1>")
      }
    }
    const { status } = await submit(service, "decision", browser, { decision: "deny" }, { origin: own })
    assert.strictEqual(status, 303)
  })

  test("requires an existing request", async () => {
    const { cookie } = await begin(service, app)
    for (const request of ["", "x", "x".repeat(43), "x".repeat(5000)]) {
      over(await submit(service, "email", { cookie, request }, { email: "eagle@example.org" }))
    }
  })

  test("refuses GET, and accepts only forms", async () => {
    const browser = await begin(service, app)
    for (const step of ["email", "code", "decision"] as const) {
      const path = `/api/oauth/authorize/${step}`
      const got = await call(service, "GET", path, { headers: { cookie: browser.cookie } })
      assert.deepStrictEqual([got.status, got.headers.get("allow")], [405, "POST"])
      const json = await call(service, "POST", path, { headers: { cookie: browser.cookie }, body: browser })
      assert.strictEqual(json.status, 415)
      assert.include(json.text, "<h1>This request cannot be read</h1>")
    }
  })

  test("requires a valid e-mail address", async () => {
    const browser = await begin(service, app)
    for (const email of ["", "eagle", "a@b", "a@b.example\r\nbcc: x@y.example", `${"a".repeat(250)}@b.example`]) {
      const { status, text } = await submit(service, "email", browser, { email })
      assert.strictEqual(status, 400)
      assert.include(text, "Type your e-mail address")
    }
  })
})

test("A one-time identity assertion for the request replaces the e-mail address and the code", async () => {
  const veteran = await registerVeteran(service)
  const vouch = async (claims: Record<string, unknown>, field = "email") => {
    const browser = await begin(service, app)
    const token = await assertion({ sub: veteran.vaPatientId, aud: browser.request, ...claims })
    const page = await submit(service, "email", browser, { [field]: token })
    return { browser, token, page }
  }
  for (const field of ["email", "identityAssertion"]) {
    const { browser, page } = await vouch({}, field)
    assert.include(page.text, "<h1>What may Heart Diary read?</h1>")
    assert.isString(toldTo(app, await submit(service, "decision", browser, approval(page.text)))["code"])
  }
  const jti = randomUUID()
  await vouch({ jti })
  for (const claims of [{ jti }, { aud: iss }, { sub: "icn-of-nobody" }, { sub: "\0" }]) {
    const { browser, page } = await vouch(claims)
    assert.strictEqual(page.status, 400)
    assert.include(page.text, "Your app could not say who you are.")
    assert.notInclude((await submit(service, "code", browser, { code: "1" })).text, "What may")
  }
  assert.deepStrictEqual(await codeMails(service, veteran.email), [])
})

test("No answer waits for the mail server, so no answer reveals whether a mail was sent", async () => {
  const mailbox = await used(openMailbox())
  const slow = await openService(database, { SMTP_URL: mailbox.url })
  const { email } = await registerVeteran(slow)
  const { held, release } = mailbox.hold()
  const browser = await begin(slow, app)
  const page = await submit(slow, "email", browser, { email })
  assert.include(page.text, "<h1>Enter your code</h1>")
  await until("the mail is under way", async () => held() === 1)
  assert.lengthOf(mailbox.mails, 0)
  release()
  await until("the mail is there", async () => mailbox.mails.length === 1)
})
