import { randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import {
  call,
  portalOrigin,
  providerPassword,
  registerProvider,
  signInAtPortal,
  signInProvider
} from "../../support/Client.ts"
import { asOperator, forgot, login, me, newEmail, openPasswords, register, setPassword } from "./PasswordMails.ts"

const { allSent, mailedToken, mails, mailsTo, one, other, superuser, tokensTo } = await openPasswords()

const accepted = { status: "accepted" }

const gone = {
  error: "link_expired",
  message: "This link no longer works. Ask for a new one on the sign-in page."
}

const assertGone = ({ json, status }: { readonly status: number; readonly json: any }) => {
  const { requestId, ...body } = json
  assert.isString(requestId)
  assert.deepStrictEqual([status, body], [410, gone])
}

const anotherPassword = () => `another password ${randomBytes(4).toString("hex")}`

const disabledProvider = async () => {
  const provider = await registerProvider(one)
  await asOperator(one, "POST", `/providers/${provider.id}/disable`)
  return provider
}

describe("POST /api/provider/password/forgot", () => {
  test("answers a known, an unknown and a disabled provider alike, and mails the known one alone", async () => {
    const { email } = await registerProvider(one)
    const disabled = await disabledProvider()
    const emails = [email, newEmail(), disabled.email, "", "no address", "İ@clinic.example", "nul\0@clinic.example",
      email.toUpperCase()]
    const links = async () =>
      (await mails()).filter(({ headers }) => headers.get("subject") === "Choose a new password")
    const before = (await links()).length
    for (const address of emails) {
      const answer = await forgot(one, address)
      assert.deepStrictEqual([answer.status, answer.json], [202, accepted], address)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    }
    const mailed = (await links()).slice(before)
    assert.deepStrictEqual(mailed.map(({ headers }) => headers.get("to")), [email, email])
  })

  test("mails a link of 256 random bits, in two languages, and nothing of it in the subject", async () => {
    const { email } = await registerProvider(one)
    const token = await mailedToken(email)
    const [mail] = await mailsTo(email)
    assert.strictEqual(mail!.headers.get("subject"), "Choose a new password")
    assert.strictEqual(Buffer.from(token, "base64url").length, 32)
    assert.include(mail!.text, `:\n\n${portalOrigin}/password#${token}\n\n`)
    assert.include(mail!.html, `<a href="${portalOrigin}/password#${token}">${portalOrigin}/password#${token}</a>`)
    assert.include(
      mail!.text,
      "Somebody asked for a new password for your account in Veteran Records (localhost:8081)."
    )
    assert.include(mail!.text, "Alguien pidió una contraseña nueva")
    assert.lengthOf(mail!.text.match(new RegExp(token, "g"))!, 1)
  })

  test("mails five links to an address in a day, and counts its spellings, known or not, together", async () => {
    const { email } = await registerProvider(one)
    const unknown = newEmail()
    for (let time = 0; time < 7; time++) {
      for (const address of [email, unknown]) {
        const answer = await forgot(time % 2 === 0 ? one : other, time % 3 === 0 ? address.toUpperCase() : address)
        assert.deepStrictEqual([answer.status, answer.json], [202, accepted])
      }
      // Both processes send mails, so two links that wait together may arrive in either order.
      await allSent()
    }
    const tokens = await tokensTo(email)
    assert.lengthOf(tokens, 5)
    assert.strictEqual(new Set(tokens).size, 5)
    // The requests that mailed nothing did not end the fifth link.
    assert.strictEqual((await setPassword(one, tokens.at(-1)!, anotherPassword())).status, 204)
    assert.lengthOf(await mailsTo(unknown), 0)
    await superuser.query("update rate_limit_spendings set spent_at = spent_at - interval '1 day'")
    await forgot(one, email)
    assert.lengthOf(await tokensTo(email), 6)
  })

  test("answers 429 to the 31st request of an address in 15 minutes, also for different e-mails", async () => {
    const headers = { "x-forwarded-for": "203.0.113.1" }
    const answers = await Promise.all(Array.from({ length: 31 }, () => forgot(one, newEmail(), headers)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array(30).fill(202), 429])
  })

  test("leaves the same rows for every address, also for the sixth link of a day", async () => {
    const [{ email }, disabled] = [await registerProvider(one), await disabledProvider()]
    const rowsFor = async (address: string, perDay: number) => {
      await superuser.query("begin")
      await superuser.query("select app.forget_password($1, sha256($2), $3, sha256($2), $4, 3600)", [
        randomUUID(),
        randomBytes(16),
        address,
        perDay
      ])
      // These rows are of this transaction, which nobody else sees.
      const { rows } = await superuser.query(`
        select 'link' as what, why from provider_password_links where xmin = pg_current_xact_id()::xid
        union all select 'mail', kind from outbox where xmin = pg_current_xact_id()::xid`)
      await superuser.query("rollback")
      return rows
    }
    const expected = [{ what: "link", why: "forgotten" }, { what: "mail", why: "password_link" }]
    for (const address of [email, disabled.email, newEmail(), ""]) {
      for (const perDay of [5, 0]) assert.deepStrictEqual(await rowsFor(address, perDay), expected)
    }
  })

  test.each([[{}], [{ email: 1 }], [{ email: "a@b.example", extra: 1 }], [{ email: "a".repeat(321) }]])(
    "answers 400 to %j",
    async (body) => {
      const answer = await call(one, "POST", "/api/provider/password/forgot", { body })
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    }
  )
})

describe("POST /api/provider/password/set", () => {
  test("sets the password, ends all sessions in every process and their cookies, and mails the provider", async () => {
    const { email, token } = await signInProvider(one)
    const page = await signInAtPortal(other, email)
    const link = await mailedToken(email)
    const password = anotherPassword()
    const answer = await setPassword(one, link, password)
    assert.deepStrictEqual([answer.status, answer.text], [204, ""])
    for (const process of [one, other]) {
      for (const ended of [token, page.token]) assert.strictEqual((await me(process, ended)).status, 401)
      const resumed = await call(process, "POST", "/api/provider/session/resume", { headers: page.resume })
      assert.strictEqual(resumed.status, 401)
      assert.strictEqual((await login(process, email)).status, 401)
    }
    const session = await login(other, email, password)
    assert.strictEqual(session.status, 200)
    assert.strictEqual((await me(one, session.json.accessToken)).status, 200)
    const [mail, ...others] = await mailsTo(email, "Your password was changed")
    assert.lengthOf(others, 0)
    assert.include(mail!.text, "The password of your account in Veteran Records (localhost:8081) was changed on ")
    assert.include(mail!.text, "You were signed out on all other devices.")
    assert.include(mail!.text, "It was not you?")
    assert.include(mail!.text, "¿No fue usted?")
    assert.notInclude(mail!.text, password)
  })

  test("answers 410 to a token that is malformed, unknown, used or older than the newest", async () => {
    const { email } = await registerProvider(one)
    const older = await mailedToken(email)
    const newest = await mailedToken(email)
    const unknown = randomBytes(32).toString("base64url")
    for (
      const token of ["", "x", "\0", "ü".repeat(1000), `${newest}x`, newest.slice(1), `#${newest}`, unknown, older]
    ) {
      assertGone(await setPassword(one, token, anotherPassword()))
    }
    assert.strictEqual((await login(one, email)).status, 200)
    assert.strictEqual((await setPassword(one, newest, anotherPassword())).status, 204)
    for (const token of [newest, older]) assertGone(await setPassword(other, token, anotherPassword()))
  })

  test("answers 410 an hour after the link was asked for, by the database's clock", async () => {
    const { email } = await registerProvider(one)
    const link = await mailedToken(email)
    const age = (seconds: number) =>
      superuser.query(
        "update provider_password_links set expires_at = created_at + interval '1 hour' - make_interval(secs => $1)",
        [seconds]
      )
    const { rows } = await superuser.query(
      "select extract(epoch from expires_at - created_at)::int as seconds from provider_password_links order by created_at desc limit 1"
    )
    assert.strictEqual(rows[0].seconds, 3600)
    await age(3600)
    assertGone(await setPassword(one, link, anotherPassword()))
    await age(3500)
    assert.strictEqual((await setPassword(one, link, anotherPassword())).status, 204)
  })

  test("answers 410 once the provider was disabled or has another address, also if that is undone", async () => {
    for (const change of ["disabled_at = now()", "email = 'new-' || email"]) {
      const { email, id } = await registerProvider(one)
      const link = await mailedToken(email)
      await superuser.query(`update providers set ${change} where id = $1`, [id])
      assertGone(await setPassword(one, link, anotherPassword()))
      await superuser.query("update providers set disabled_at = null, email = $2 where id = $1", [id, email])
      assertGone(await setPassword(one, link, anotherPassword()))
      assert.strictEqual((await login(one, email)).status, 200)
    }
  })

  test("answers 400 to a password that may not be chosen, and does not spend the token", async () => {
    const { email } = await registerProvider(one)
    const link = await mailedToken(email)
    for (const password of ["", "1234567", "x".repeat(257), "12345678\0", "password", "PassWord1", email]) {
      const answer = await setPassword(one, link, password)
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"], password)
      assert.deepStrictEqual(answer.json.issues.map(({ path }: any) => path), [["password"]])
    }
    assert.strictEqual((await setPassword(one, link, anotherPassword())).status, 204)
  })

  test("answers 429 to the 31st request of an address in 15 minutes", async () => {
    const request = () =>
      call(one, "POST", "/api/provider/password/set", {
        headers: { "x-forwarded-for": "203.0.113.2" },
        body: { token: "x", password: "long enough" }
      })
    const answers = await Promise.all(Array.from({ length: 31 }, request))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array(30).fill(410), 429])
  })

  test("succeeds once of 8 parallel uses in two processes", async () => {
    const { email } = await registerProvider(one)
    const link = await mailedToken(email)
    const passwords = Array.from({ length: 8 }, anotherPassword)
    const answers = await Promise.all(
      passwords.map((password, index) => setPassword(index % 2 === 0 ? one : other, link, password))
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, ...Array(7).fill(410)])
    const kept = answers.findIndex(({ status }) => status === 204)
    assert.strictEqual((await login(one, email, passwords[kept])).status, 200)
    assert.lengthOf(await mailsTo(email, "Your password was changed"), 1)
  })
})

describe("An operator", () => {
  test("registers a provider without a password, who is mailed a link, chooses one and signs in", async () => {
    const registered = await register(one)
    assert.strictEqual(registered.status, 201, registered.text)
    const { email, id } = registered.json
    const wrong = await login(one, email, "")
    assert.deepStrictEqual([wrong.status, wrong.json.error], [401, "invalid_credentials"])
    const [token] = await tokensTo(email)
    const [mail] = await mailsTo(email)
    assert.strictEqual(mail!.headers.get("subject"), "Your account: choose a password")
    assert.include(mail!.text, "An account was made for you in Veteran Records (localhost:8081).")
    assert.include(mail!.text, "Se creó una cuenta para usted en Veteran Records")
    const password = anotherPassword()
    assert.strictEqual((await setPassword(one, token!, password)).status, 204)
    assert.strictEqual((await login(other, email, password)).status, 200)
    const acts = await superuser.query(
      "select act, target_kind, key from admin_acts where target_id = $1 order by id",
      [id]
    )
    assert.deepStrictEqual(acts.rows, [{ act: "provider_registered", target_kind: "provider", key: "admin" }])
  })

  test("registers a provider with a password, who is mailed nothing", async () => {
    const { json, status } = await register(one, { password: providerPassword })
    assert.strictEqual(status, 201)
    assert.lengthOf(await mailsTo(json.email), 0)
    assert.strictEqual((await login(one, json.email)).status, 200)
  })

  test("has a new link mailed, which ends the one before", async () => {
    const { json: { email, id } } = await register(one)
    const [first] = await tokensTo(email)
    const answer = await asOperator(one, "POST", `/providers/${id}/password-link`)
    assert.deepStrictEqual([answer.status, answer.json], [202, accepted])
    const second = (await tokensTo(email)).at(-1)!
    assert.strictEqual((await mailsTo(email)).at(-1)!.headers.get("subject"), "Choose a password")
    assertGone(await setPassword(one, first!, anotherPassword()))
    assert.strictEqual((await setPassword(one, second, anotherPassword())).status, 204)
    const acts = await superuser.query("select act from admin_acts where target_id = $1 order by id", [id])
    assert.deepStrictEqual(acts.rows.map(({ act }) => act), ["provider_registered", "password_link_sent"])
  })

  test("has no link mailed to a provider who is unknown or disabled, and no act is noted", async () => {
    const unknown = randomUUID()
    const disabled = await disabledProvider()
    for (const [id, status, error] of [[unknown, 404, "not_found"], [disabled.id, 409, "conflict"]] as const) {
      const answer = await asOperator(one, "POST", `/providers/${id}/password-link`)
      assert.deepStrictEqual([answer.status, answer.json.error], [status, error])
      const acts = await superuser.query(
        "select from admin_acts where target_id = $1 and act = 'password_link_sent'",
        [id]
      )
      assert.strictEqual(acts.rowCount, 0)
    }
    assert.lengthOf(await mailsTo(disabled.email), 0)
  })
})
