import { randomBytes, randomUUID } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, call, providerPassword, registerProvider } from "../../support/Client.ts"
import { spendPermits } from "../../support/Permits.ts"
import { tally } from "../../support/Tally.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let email: string

let id: string

beforeEach(async () => {
  ;({ email, id } = await registerProvider(service))
})

const login = (address: string, password = providerPassword, as = email) =>
  call(service, "POST", "/api/provider/login", {
    headers: { "x-forwarded-for": address },
    body: { email: as, password }
  })

/** A network of IPv4 (a /24) that no other test uses. */
const newNetwork = () => {
  const start = `10.${[...randomBytes(2)].join(".")}`
  return (host: number) => `${start}.${host}`
}

const times = (count: number, make: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const strangersTry = (count: number, as = email) => times(count, () => login(newNetwork()(1), "wrong", as))

/** Leaves one try of an e-mail to strangers, as if they had made the others. */
const strangersTried = async (as = email) => {
  assert.deepStrictEqual(tally(await strangersTry(1, as)), { 401: 1 })
  await spendPermits(superuser, 18)
}

describe("A stranger's attempts", () => {
  test("do not lock a provider out of a known network, even if they use up the limit of the e-mail", async () => {
    const clinic = newNetwork()
    assert.strictEqual((await login(clinic(7))).status, 200)
    const stranger = newNetwork()(1)
    assert.strictEqual((await login(stranger, "wrong")).status, 401)
    await spendPermits(superuser, 17)
    assert.strictEqual((await login(clinic(7))).status, 200)
    assert.deepStrictEqual(tally(await strangersTry(6)), { 401: 1, 429: 5 })
    assert.strictEqual((await login(newNetwork()(1))).status, 429)
    assert.strictEqual((await login(clinic(8))).status, 200, "another address of the same /24")
    assert.strictEqual((await login(clinic(9), providerPassword, email.toUpperCase())).status, 200)
  })

  test("do not lock a provider out of a known /64 of IPv6", async () => {
    const home = `2001:db8:${randomBytes(2).toString("hex")}:1`
    assert.strictEqual((await login(`${home}::7`)).status, 200)
    await strangersTried()
    await strangersTry(1)
    assert.strictEqual((await login(`${home}:ffff::8`)).status, 200)
    assert.strictEqual((await login(`${home}0::7`)).status, 429)
  })

  test("are limited to 20 for a known or unknown e-mail, over all unknown networks together", async () => {
    const unknown = `${randomUUID()}@nowhere.example`
    const answers: Array<Answer> = []
    for (const as of [email, unknown]) {
      await strangersTried(as)
      const last = await strangersTry(4, as)
      assert.deepStrictEqual(tally(last), { 401: 1, 429: 3 })
      answers.push(...last)
    }
    const bodies = answers.filter(({ status }) => status === 429).map(({ json }) => Object.keys(json).sort())
    assert.strictEqual(new Set(bodies.map(String)).size, 1)
  })

  test("do not use up a known network's limit, even if they guess its key and send it as the e-mail", async () => {
    const clinic = newNetwork()
    assert.strictEqual((await login(clinic(7))).status, 200)
    const { rows: [{ network }] } = await superuser.query("select network from known_networks where provider_id = $1", [
      id
    ])
    for (const spelled of [`${email} ${clinic(0)}/24`, network.toString("hex")]) {
      await strangersTried(spelled)
      await strangersTry(1, spelled)
    }
    assert.strictEqual((await login(clinic(7))).status, 200)
  })
})

describe("A known network", () => {
  test("has a separate limit of 20 attempts in 15 minutes, successful ones included", async () => {
    const clinic = newNetwork()
    assert.strictEqual((await login(clinic(1))).status, 200)
    assert.strictEqual((await login(clinic(2))).status, 200)
    await spendPermits(superuser, 17)
    assert.deepStrictEqual(tally(await times(4, (n) => login(clinic(n), "wrong"))), { 401: 2, 429: 2 })
    assert.strictEqual((await login(newNetwork()(1))).status, 200, "the limit of the e-mail is another")
  })

  test("is known only for the provider who signed in there, and never because of a wrong password", async () => {
    const clinic = newNetwork()
    const colleague = `${randomUUID()}@clinic.example`
    assert.strictEqual((await login(clinic(1))).status, 200)
    assert.strictEqual((await login(clinic(1), "wrong", colleague)).status, 401)
    await strangersTried(colleague)
    assert.strictEqual((await login(clinic(1), "wrong", colleague)).status, 429)
  })

  test("is stored as a hash without address or e-mail, and forgotten 90 days after the last sign-in", async () => {
    const clinic = newNetwork()
    await login(clinic(1))
    const kept = async () =>
      (await superuser.query("select * from known_networks where provider_id = $1", [id])).rows as ReadonlyArray<any>
    const [row, ...more] = await kept()
    assert.deepStrictEqual([more, Object.keys(row)], [[], ["network", "provider_id", "seen_at"]])
    assert.strictEqual(row.network.length, 32)
    await superuser.query("update known_networks set seen_at = now() - interval '91 days' where provider_id = $1", [id])
    await strangersTried()
    await strangersTry(1)
    assert.strictEqual((await login(clinic(1))).status, 429)
    await superuser.query("truncate rate_limit_spendings")
    assert.strictEqual((await login(newNetwork()(1))).status, 200)
    assert.deepStrictEqual((await kept()).map(({ network }) => network.equals(row.network)), [false])
  })

  test("is forgotten once 50 newer ones are stored for its provider", async () => {
    await superuser.query(
      `insert into known_networks (network, provider_id, seen_at)
       select sha256(($1 || n)::bytea), $1::uuid, now() - make_interval(hours => n) from generate_series(1, 50) as n`,
      [id]
    )
    await login(newNetwork()(1))
    const { rows } = await superuser.query(
      `select count(*)::int as n, min(seen_at) > now() - interval '49 hours 30 minutes' as newest
       from known_networks where provider_id = $1`,
      [id]
    )
    assert.deepStrictEqual(rows, [{ n: 50, newest: true }])
  })
})
