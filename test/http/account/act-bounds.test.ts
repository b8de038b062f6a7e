import { assert, describe, test } from "vitest"
import { newAuthenticator } from "../../support/Authenticator.ts"
import { bearer, giveGrant, providerPassword, signInProvider, signInVeteran, told } from "../../support/Client.ts"
import { atVa, newDevice, prove, signInByVa, signInDevice } from "../../support/Device.ts"
import { addPasskey, appOrigin, newPasskey, passkeysOf, signInByPasskey } from "../../support/Passkeys.ts"
import { assertEnough, letPermitsAge, spendPermits } from "../../support/Permits.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { readNotes, writeNote } from "../Sharing.ts"
import { ask, cancel } from "./Deleting.ts"
import { changePassword } from "./PasswordMails.ts"
import { openSignIns } from "./SignIns.ts"

// Acts that can be undone and done again, and notes, which nobody can delete, have a bound by the day. Undoing has none
// (docs/security-reviewer.md).

const { get, post, service, superuser, va } = await openSignIns()

const fresh = () => newAuthenticator({ origin: appOrigin })

const tally = (answers: ReadonlyArray<{ readonly status: number }>) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

type Headers = Record<string, string>

const remove = (headers: Headers, id: string) => post(`/passkeys/${id}/remove`, headers)

describe("Passkeys", () => {
  test("are added ten times a day, those that are removed too; a refused one costs nothing", async () => {
    const { headers } = await signInDevice(service, va)
    const kept = await newPasskey(service, headers)
    assert.deepStrictEqual(told(await addPasskey(service, headers, kept)), [409, "conflict"])
    for (let n = 2; n <= 10; n++) {
      if (n === 3) await letPermitsAge(superuser, 20)
      const { json, status } = await addPasskey(service, headers, fresh())
      assert.strictEqual(status, 201, `${n}`)
      assert.strictEqual((await remove(headers, json.id)).status, 204)
    }
    assertEnough(await addPasskey(service, headers, fresh()), 4)
    assert.strictEqual((await remove(headers, kept.passkeyId)).status, 204)
    assertEnough(await addPasskey(service, headers, fresh()), 4)
    await letPermitsAge(superuser, 4)
    for (const status of [201, 201]) assert.strictEqual((await addPasskey(service, headers, fresh())).status, status)
    assertEnough(await addPasskey(service, headers, fresh()), 20)
    assert.strictEqual((await addPasskey(service, (await signInDevice(service, va)).headers, fresh())).status, 201)
  })

  test("are exactly ten with 32 more at once", async () => {
    const { headers } = await signInDevice(service, va)
    const first = await newPasskey(service, headers)
    await spendPermits(superuser, 6)
    const answers = await Promise.all(Array.from({ length: 32 }, () => addPasskey(service, headers, fresh())))
    assert.deepStrictEqual(tally(answers), { 201: 3, 429: 29 })
    assert.lengthOf(await passkeysOf(service, headers), 4)
    const { rows } = await superuser.query(
      "select count(*)::int as events from proofs where kind = 'passkey_added' and veteran_id = (select veteran_id from veteran_passkeys where id = $1)",
      [first.passkeyId]
    )
    assert.deepStrictEqual(rows, [{ events: 4 }])
  })
})

describe("Accounts of the VA", () => {
  test("are added ten times a day, and one is removed at the bound", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const add = async (with_ = headers) => {
      const signedIn = await atVa(service, va, device, { subject: newSubject() })
      return prove(service, device, "/api/veteran/me/identities", signedIn.challenge, signedIn, with_)
    }
    const { json: { id }, status } = await add()
    assert.strictEqual(status, 201)
    await spendPermits(superuser, 9)
    assertEnough(await add(), 24)
    assert.strictEqual((await post(`/identities/${id}/remove`, headers)).status, 204)
    const again = await signInByVa(service, va, device, person)
    assertEnough(await add(bearer(again.json.accessToken)), 24)
  })
})

describe("Sign-ins", () => {
  test("of new devices are 50 a day; a device that is known signs in, and signing out is never refused", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    assert.strictEqual((await signInByVa(service, va, await newDevice(), person)).status, 200)
    await spendPermits(superuser, 48)
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => signInByVa(service, va, await newDevice(), person))
    )
    assert.deepStrictEqual(tally(answers), { 200: 1, 429: 3 })
    assertEnough(answers.find(({ status }) => status === 429)!, 24)
    assert.strictEqual((await signInByVa(service, va, device, person)).status, 200)
    assert.lengthOf((await get("/sessions", headers)).json.items, 4)
    assert.strictEqual((await post("/sessions/end-all", headers)).status, 204)
  })

  test("are 200 a day on all devices and by passkeys too, and are counted again after signing out", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    assert.strictEqual((await signInByVa(service, va, device, person)).status, 200)
    await spendPermits(superuser, 198)
    assert.strictEqual((await signInByPasskey(service, device, passkey)).status, 200)
    assertEnough(await signInByPasskey(service, device, passkey), 24)
    assert.strictEqual((await post("/sessions/end-all", headers)).status, 204)
    assertEnough(await signInByVa(service, va, device, person), 24)
  })
})

describe("Deletions", () => {
  test("are asked for five times a day; one that is asked for again, or wrongly, costs nothing", async () => {
    const session = await signInDevice(service, va)
    for (let n = 0; n < 5; n++) {
      assert.deepStrictEqual(told(await ask(service, session, { confirm: "Hawk" })), [400, "invalid_request"])
      for (const status of [202, 202]) assert.strictEqual((await ask(service, session)).status, status)
      assert.strictEqual((await cancel(service, session)).status, 204)
    }
    assertEnough(await ask(service, session), 24)
    assert.deepStrictEqual(told(await get("/deletion", session.headers)), [404, "not_found"])
    assert.strictEqual((await cancel(service, session)).status, 204)
  })
})

describe("Passwords", () => {
  test("are changed ten times a day by a provider; a wrong one costs nothing", async () => {
    const { token } = await signInProvider(service)
    const newPassword = "a new password of theirs"
    const change = (password: string, next: string) => changePassword(service, token, { password, newPassword: next })
    assert.strictEqual((await change(providerPassword, newPassword)).status, 204)
    await spendPermits(superuser, 8)
    assert.deepStrictEqual(told(await change("wrong", providerPassword)), [401, "invalid_credentials"])
    assert.strictEqual((await change(newPassword, providerPassword)).status, 204)
    assertEnough(await change(providerPassword, newPassword), 24)
  })
})

describe("Notes", () => {
  test("are written 100 times a day by a provider about a veteran; other pairs of them have their own bound", async () => {
    const [provider, other] = [await signInProvider(service), await signInProvider(service)]
    const [veteran, another] = [await signInVeteran(service), await signInVeteran(service)]
    for (const by of [provider, other]) {
      for (const about of [veteran, another]) await giveGrant(service, about, by)
    }
    const write = (by = provider, about = veteran) => writeNote(service, by, about, { text: "Seen today." })
    assert.strictEqual((await write()).status, 201)
    await spendPermits(superuser, 97)
    const answers = await Promise.all([write(), write(), write(), write()])
    assert.deepStrictEqual(tally(answers), { 201: 2, 429: 2 })
    assertEnough(answers.find(({ status }) => status === 429)!, 24)
    assert.lengthOf((await readNotes(service, provider, veteran)).json.items, 3)
    for (const answer of [await write(other), await write(provider, another)]) assert.strictEqual(answer.status, 201)
    await letPermitsAge(superuser, 24)
    assert.strictEqual((await write()).status, 201)
  })
})
