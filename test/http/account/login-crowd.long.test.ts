import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, call, providerPassword, randomAddress, signInProvider } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"

const { database, service } = await openApp()

const login = (address: string, email: string, password: string) =>
  call(service, "POST", "/api/provider/login", { headers: { "x-forwarded-for": address }, body: { email, password } })

/** A login with a fresh address and e-mail: only the limit on password hashes counts it. */
const strangersLogin = () => login(randomAddress(), `${randomUUID()}@nowhere.example`, "wrong")

const statuses = (answers: ReadonlyArray<Answer>) => [...new Set(answers.map(({ status }) => status))].sort()

describe("A crowd of strangers who sign in at the same time", () => {
  test("does not block a provider's known network: the provider signs in while strangers are refused", async () => {
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

describe("POST /api/provider/login", () => {
  test("answers a storm of logins with known and unknown e-mails by 401 or 503 while other routes still answer", async () => {
    const { email } = await signInProvider(service)
    const owner = await database.connect("owner")
    const many =
      "insert into providers select gen_random_uuid(), 'known' || n || '@storm.example', password_hash, 'x', 'x' " +
      "from providers, generate_series(1, 100) n where email = $1"
    await owner.query(many, [email])
    let pending = 200
    const storm = Array.from({ length: 200 }, async (_, index) => {
      const name = index % 2 === 0 ? `known${index / 2 + 1}@storm.example` : `${randomUUID()}@nowhere.example`
      const answer = await login(randomAddress(), name, "wrong")
      pending--
      return answer
    })
    for (let index = 0; index < 5; index++) {
      assert.strictEqual((await call(service, "GET", "/health")).status, 200)
      assert.isAbove(pending, 0)
    }
    const answers = await Promise.all(storm)
    // An answer of 503 shows that a login waited for its turn to hash. Known and unknown e-mails must both wait.
    for (const rest of [0, 1]) {
      assert.isTrue(answers.some(({ status }, index) => status === 503 && index % 2 === rest))
    }
    assert.isAtLeast(answers.filter(({ status }) => status === 401).length, 64)
    for (const { headers, json, status } of answers) {
      assert.include([401, 503], status)
      if (status !== 503) continue
      assert.strictEqual(json.error, "service_unavailable")
      assert.isNotNull(headers.get("retry-after"))
    }
    assert.strictEqual((await login(randomAddress(), email, providerPassword)).status, 200)
  })
})
