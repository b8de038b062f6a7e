import { randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, call, providerPassword, randomAddress, signInProvider } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"

const { service } = await openApp()

const login = (address: string, email: string, password: string) =>
  call(service, "POST", "/api/provider/login", { headers: { "x-forwarded-for": address }, body: { email, password } })

/** A login with a fresh address and e-mail: only the limit on password hashes counts it. */
const strangersLogin = () => login(randomAddress(), `${randomUUID()}@nowhere.example`, "wrong")

const statuses = (answers: ReadonlyArray<Answer>) => [...new Set(answers.map(({ status }) => status))].sort()

describe("A crowd of strangers who sign in at once (findings M9)", () => {
  test("leaves room for a provider's known network: the provider is answered while strangers are refused", async () => {
    const { email } = await signInProvider(service)
    const clinic = randomAddress()
    assert.strictEqual((await login(clinic, email, providerPassword)).status, 200)
    const answers: Array<Answer> = []
    const crowd = { pressing: true }
    const pressed = Array.from({ length: 100 }, async () => {
      while (crowd.pressing) answers.push(await strangersLogin())
    })
    const refused = () => answers.filter(({ status }) => status === 503).length
    try {
      for (let round = 0; round < 2; round++) {
        const before = refused()
        await until("strangers are refused", async () => refused() > before)
        assert.strictEqual((await login(clinic, email, providerPassword)).status, 200)
      }
    } finally {
      crowd.pressing = false
      await Promise.all(pressed)
    }
    assert.deepStrictEqual(statuses(answers), [401, 503])
    for (const { headers, json, status } of answers) {
      if (status === 503) {
        assert.deepStrictEqual([json.error, headers.get("retry-after")], ["service_unavailable", "10"])
      }
    }
  })
})

describe("The limit of logins by address (findings M9)", () => {
  // A body that does not parse counts as well, and costs no password hash.
  const attempt = (address: string) =>
    call(service, "POST", "/api/provider/login", { headers: { "x-forwarded-for": address }, body: "{" })

  const tally = async (addresses: ReadonlyArray<string>) => {
    const answers = await Promise.all(addresses.map(attempt))
    return [400, 429].map((status) => answers.filter((answer) => answer.status === status).length)
  }

  const times = (count: number, address: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => address(index))

  const site = () => `2001:db8:${randomBytes(2).toString("hex")}`

  const group = (value: number) => value.toString(16)

  test("is 30 for a /64 of IPv6 and 120 for the /56 around it; other /56s are not affected", async () => {
    const network = site()
    assert.deepStrictEqual(await tally(times(40, (index) => `${network}:1200::${group(index + 1)}`)), [30, 10])
    // Ten of the 40 were refused before the wider networks counted them, so 90 remain.
    assert.deepStrictEqual(await tally(times(100, (index) => `${network}:${group(0x1201 + index)}::1`)), [90, 10])
    assert.deepStrictEqual(await tally([`${network}:1300::1`, `${network}:1100::1`]), [2, 0])
  })

  test("is 480 for a /48 of IPv6, and other /48s are not affected", async () => {
    const [network, other] = [site(), site()]
    assert.deepStrictEqual(await tally(times(500, (index) => `${network}:${group(index * 100)}::1`)), [480, 20])
    assert.deepStrictEqual(await tally([`${other}::1`]), [1, 0])
  })
})
