import { assert, describe, test } from "vitest"
import { call, providerPassword, signInAtPortal, signInProvider } from "../../support/Client.ts"
import { changePassword, login, me, openPasswords, setPassword } from "./PasswordMails.ts"

const { mailedToken, mailsTo, one, other, superuser } = await openPasswords()

const newPassword = "a new password of theirs"

const right = { password: providerPassword, newPassword }

describe("POST /api/provider/password", () => {
  test("changes the password, ends the other sessions and links, keeps this session, and mails the provider", async () => {
    const { email, token } = await signInProvider(one)
    const second = await signInAtPortal(other, email)
    const link = await mailedToken(email)
    const answer = await changePassword(one, token, right)
    assert.deepStrictEqual([answer.status, answer.text], [204, ""])
    for (const process of [one, other]) {
      assert.strictEqual((await me(process, token)).status, 200)
      assert.strictEqual((await me(process, second.token)).status, 401)
    }
    const resumed = await call(one, "POST", "/api/provider/session/resume", { headers: second.resume })
    assert.strictEqual(resumed.status, 401)
    assert.strictEqual((await setPassword(one, link, "yet another password")).status, 410)
    assert.strictEqual((await login(other, email)).status, 401)
    assert.strictEqual((await login(other, email, newPassword)).status, 200)
    assert.lengthOf(await mailsTo(email, "Your password was changed"), 1)
  })

  test("answers 401 to a wrong password, and nothing changes", async () => {
    const { email, token } = await signInProvider(one)
    const second = await login(one, email)
    for (const password of ["", "wrong", newPassword, "x".repeat(1024)]) {
      const { json, status } = await changePassword(one, token, { password, newPassword })
      const { requestId: _, ...body } = json
      assert.deepStrictEqual([status, body], [401, {
        error: "invalid_credentials",
        message: "The present password is wrong."
      }])
    }
    assert.strictEqual((await me(one, second.json.accessToken)).status, 200)
    assert.strictEqual((await login(one, email)).status, 200)
    assert.lengthOf(await mailsTo(email), 0)
  })

  test("answers 400 to a new password that may not be chosen, and names the member", async () => {
    const { email, token } = await signInProvider(one)
    for (const chosen of ["1234567", "x".repeat(257), "qwertyuiop", email, email.split("@")[0]!.toUpperCase()]) {
      const answer = await changePassword(one, token, { password: providerPassword, newPassword: chosen })
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"], chosen)
      assert.deepStrictEqual(answer.json.issues.map(({ path }: any) => path), [["newPassword"]])
    }
    assert.strictEqual((await login(one, email)).status, 200)
  })

  test("counts as a sign-in of the address: the 31st of both together is 429", async () => {
    const { email, token } = await signInProvider(one)
    const from = { "x-forwarded-for": "203.0.113.3" }
    const requests = Array.from({ length: 31 }, (_, index) =>
      index % 2 === 0
        ? call(one, "POST", "/api/provider/login", { headers: from, body: "{" })
        : call(other, "POST", "/api/provider/password", {
          headers: { ...from, authorization: `Bearer ${token}` },
          body: "{"
        }))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    assert.deepStrictEqual(statuses.sort(), [...Array(30).fill(400), 429])
    const answer = await changePassword(one, token, right, from)
    assert.deepStrictEqual([answer.status, answer.json.error], [429, "rate_limited"])
    assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
    assert.strictEqual((await login(one, email)).status, 200)
  })

  test("counts as a sign-in of the e-mail address: tries of the present password share its limit", async () => {
    const { email, token } = await signInProvider(one)
    // The provider has signed in from no network that the tries come from.
    await superuser.query("delete from known_networks")
    // One try was the sign-in itself.
    const tries = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? login(one, email, "wrong")
        : changePassword(other, token, { password: "wrong", newPassword }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.deepStrictEqual(statuses.sort(), [...Array(19).fill(401), 429])
    assert.strictEqual((await changePassword(one, token, right)).status, 429)
  })

  test("succeeds once of 8 parallel changes in two processes, whose sessions then end but one", async () => {
    const { email } = await signInProvider(one)
    const tokens = await Promise.all(
      Array.from(
        { length: 8 },
        async (_, index) => (await login(index % 2 === 0 ? one : other, email)).json.accessToken as string
      )
    )
    const answers = await Promise.all(
      tokens.map((token, index) =>
        changePassword(index % 2 === 0 ? one : other, token, {
          password: providerPassword,
          newPassword: `${newPassword} ${index}`
        })
      )
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [204, ...Array(7).fill(401)])
    const kept = answers.findIndex(({ status }) => status === 204)
    const live = await Promise.all(tokens.map(async (token) => (await me(one, token)).status))
    assert.deepStrictEqual(live, tokens.map((_, index) => index === kept ? 200 : 401))
    assert.strictEqual((await login(one, email, `${newPassword} ${kept}`)).status, 200)
  })
})
