import { randomInt, randomUUID } from "node:crypto"
import { connect } from "node:net"
import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import {
  type Answer,
  call,
  providerPassword,
  randomAddress,
  registerProvider,
  signInVeteran,
  withExchangeSecret
} from "../../support/Client.ts"
import { spendPermits } from "../../support/Permits.ts"
import { send } from "../../support/Raw.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"

const { database, service } = await openApp()

const second = await openService(database, { SESSION_EXCHANGE_PER_MINUTE: "25" })

const owner = await database.connect("owner")

const times = <A>(count: number, make: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const tally = (answers: ReadonlyArray<Answer>) => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const from = (address: string) => ({ "x-forwarded-for": address })

const unknown = () => ({ email: `${randomUUID()}@nowhere.example`, password: "wrong" })

const login = (address: string, body: unknown = unknown(), to: Pick<Service, "url"> = service) =>
  call(to, "POST", "/api/provider/login", { headers: from(address), body })

/** A login whose body does not parse. It counts against the limit, but costs no password hash. */
const cheapLogin = (address: string, to: Pick<Service, "url"> = service) => login(address, "{", to)

const exhaust = async (address: string) => {
  assert.deepStrictEqual(tally(await times(30, () => cheapLogin(address))), { 400: 30 })
}

const assertRateLimited = ({ headers, json, status }: Answer) => {
  assert.strictEqual(status, 429)
  assert.deepStrictEqual(Object.keys(json).sort(), ["error", "message", "requestId", "retryAfterSeconds"])
  assert.strictEqual(json.error, "rate_limited")
  assert.strictEqual(headers.get("retry-after"), `${json.retryAfterSeconds}`)
}

describe("Session exchanges from one address", () => {
  const exchange = (address: string) =>
    call(second, "POST", "/api/auth/veteran/session", {
      headers: { ...from(address), ...withExchangeSecret },
      body: "{"
    })

  test("are answered as often as SESSION_EXCHANGE_PER_MINUTE says, for IPv6 in each network too", async () => {
    const address = randomAddress()
    assert.deepStrictEqual(tally(await times(30, () => exchange(address))), { 400: 25, 429: 5 })
    assert.strictEqual((await exchange(randomAddress())).status, 400)
    const prefix = `2001:db8:${randomInt(65_536).toString(16)}:aa`
    const home = (subnet: number) => `${prefix}${subnet.toString(16).padStart(2, "0")}::1`
    const answers = await times(110, (index) => exchange(home(index % 5)))
    assert.deepStrictEqual(tally(answers), { 400: 100, 429: 10 })
  })
})

describe("Provider logins from one address", () => {
  test("are answered 30 times when 60 arrive together at two processes; the others learn how long to wait", async () => {
    const address = randomAddress()
    const answers = await times(60, (index) => {
      const to = index % 2 === 0 ? service : second
      return index % 10 < 2 ? login(address, unknown(), to) : cheapLogin(address, to)
    })
    const { 400: malformed = 0, 401: wrong = 0, ...others } = tally(answers)
    assert.isAbove(wrong, 0)
    assert.deepStrictEqual([malformed + wrong, others], [30, { 429: 30 }])
    for (const answer of answers.filter(({ status }) => status === 429)) {
      assertRateLimited(answer)
      assert.isAtLeast(answer.json.retryAfterSeconds, 1)
      assert.isAtMost(answer.json.retryAfterSeconds, 900)
    }
    assert.strictEqual((await login(randomAddress())).status, 401)
  })

  test("count against the limit even when they succeed", async () => {
    const address = randomAddress()
    const { email } = await registerProvider(service)
    assert.strictEqual((await login(address, { email, password: providerPassword })).status, 200)
    assert.deepStrictEqual(tally(await times(30, () => cheapLogin(address))), { 400: 29, 429: 1 })
  })

  test("count against the limit with any body, media type or size", async () => {
    const address = randomAddress()
    const headers = from(address)
    const bodies = ["{", "[]", `{"email":1}`, "", `"${"x".repeat(5000)}"`]
    const answers = await times(
      30,
      (index) => call(service, "POST", "/api/provider/login", { headers, body: bodies[index % 5]! })
    )
    assert.notProperty(tally(answers), "429")
    const text = { headers: { ...headers, "content-type": "text/plain" }, body: "hello" }
    assert.strictEqual((await call(service, "POST", "/api/provider/login", text)).status, 429)
  })

  test("count against the limit even if the client hangs up before the answer", async () => {
    await owner.query("truncate rate_limit_spendings; begin; lock table rate_limit_spendings")
    const address = randomAddress()
    const sockets = await times(30, async () => {
      const socket = connect(Number(new URL(service.url).port), "localhost")
      const body = JSON.stringify(unknown())
      const request = `POST /api/provider/login HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${address}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      await new Promise((written) => socket.write(request, written))
      return socket
    })
    const waiting =
      "select count(*)::int as n from pg_locks where relation = 'rate_limit_spendings'::regclass and not granted"
    await until("the logins wait for the table", async () => (await owner.query(waiting)).rows[0].n > 0)
    await call(service, "GET", "/health")
    for (const socket of sockets) socket.destroy()
    await call(service, "GET", "/health")
    await owner.query("commit")
    const mostSpent =
      "select max(n)::int as n from (select sum(permits) as n from rate_limit_spendings group by key) as spent"
    await until("all 30 logins are counted", async () => (await owner.query(mostSpent)).rows[0].n === 30)
    assert.strictEqual((await cheapLogin(address)).status, 429)
  })

  test("count against the limit under every spelling of the URL that reaches the route", async () => {
    const address = randomAddress()
    const spellings = [
      "/api/provider/login",
      "/api/provider/login?",
      "/api/provider/login?again=1",
      "/api/provider/%6Cogin",
      "/api//provider/login",
      "/api/provider/login/",
      "/API/Provider/Login",
      "/api/./provider/login",
      `${service.url}/api/provider/login`
    ]
    const headers = { ...from(address), "content-type": "application/json" }
    const answers = await times(
      spellings.length * 12,
      (index) => send(service, "POST", spellings[index % spellings.length]!, { headers, body: "{" })
    )
    const { 400: answered = 0, 429: refused = 0, ...others } = tally(answers)
    assert.strictEqual(answered, 30)
    assert.isAbove(refused, 0)
    assert.deepStrictEqual(Object.keys(others), ["404"])
  })

  test("are answered again once 15 minutes have passed, and not before", async () => {
    const address = randomAddress()
    await exhaust(address)
    const pass = (seconds: number) =>
      owner.query("update rate_limit_spendings set spent_at = spent_at - make_interval(secs => $1)", [seconds])
    await pass(840)
    const early = await cheapLogin(address)
    assertRateLimited(early)
    assert.isAtMost(early.json.retryAfterSeconds, 60)
    await pass(61)
    await exhaust(address)
    assert.strictEqual((await cheapLogin(address)).status, 429)
  })

  test("leave neither the address nor the e-mail in the database", async () => {
    await owner.query("truncate rate_limit_spendings")
    const address = randomAddress()
    const body = unknown()
    await login(address, body)
    const { rows } = await owner.query("select * from rate_limit_spendings")
    assert.strictEqual(rows.length, 2)
    for (const row of rows) {
      assert.deepStrictEqual(Object.keys(row), ["key", "spent_at", "permits"])
      assert.strictEqual(row.key.length, 16)
      for (const readable of [address, body.email]) assert.notInclude(row.key.toString("latin1"), readable.slice(0, 16))
    }
  })
})

describe("Provider logins for one e-mail", () => {
  test.each(["known", "unknown"])(
    "are answered 20 times in 15 minutes from any address and in any letter case: %s",
    async (kind) => {
      const email = kind === "known" ? (await registerProvider(service)).email : `${randomUUID()}@nowhere.example`
      assert.strictEqual((await login(randomAddress(), { email, password: "wrong" })).status, 401)
      await spendPermits(owner, 11)
      const answers = await times(
        13,
        (index) => login(randomAddress(), { email: index % 2 === 0 ? email : email.toUpperCase(), password: "wrong" })
      )
      assert.deepStrictEqual(tally(answers), { 401: 8, 429: 5 })
      answers.filter(({ status }) => status === 429).forEach(assertRateLimited)
    }
  )

  test("are answered 20 times even if every password is right", async () => {
    const { email } = await registerProvider(service)
    const right = () => login(randomAddress(), { email, password: providerPassword })
    assert.strictEqual((await right()).status, 200)
    await spendPermits(owner, 16)
    assert.deepStrictEqual(tally(await times(6, right)), { 200: 3, 429: 3 })
  })
})

describe("The rate limits", () => {
  test("allow 20 session exchanges a minute from one address, including those with a wrong secret", async () => {
    const headers = from(randomAddress())
    const path = "/api/auth/veteran/session"
    const wrong = await times(10, () => call(service, "POST", path, { headers, body: { vaPatientId: "x" } }))
    const right = await times(
      12,
      () => call(service, "POST", path, { headers: { ...headers, ...withExchangeSecret }, body: { vaPatientId: "x" } })
    )
    assert.deepStrictEqual(tally([...wrong, ...right]), { 401: 10, 404: 10, 429: 2 })
    const refused = right.find(({ status }) => status === 429)!
    assertRateLimited(refused)
    assert.isAtMost(refused.json.retryAfterSeconds, 60)
  })

  test("allow 5 waitlist signups an hour from one address", async () => {
    const headers = from(randomAddress())
    const answers = await times(
      8,
      () => call(second, "POST", "/api/waitlist", { headers, body: { email: `${randomUUID()}@example.org` } })
    )
    assert.deepStrictEqual(tally(answers), { 202: 5, 429: 3 })
  })

  test("allow 6 syncs a minute for one veteran, independent of other veterans", async () => {
    const veteran = await signInVeteran(service)
    const other = await signInVeteran(service)
    const sync = ({ headers }: typeof veteran, to: Service) =>
      call(to, "POST", "/api/veteran/me/health-record/sync", {
        headers,
        body: { fhirResourceFetchStatuses: {}, resources: {} }
      })
    const answers: Array<Answer> = []
    for (let index = 0; index < 9; index++) answers.push(await sync(veteran, index % 2 === 0 ? service : second))
    assert.deepStrictEqual(tally(answers), { 200: 6, 429: 3 })
    assert.strictEqual((await sync(other, service)).status, 200)
  })
})

describe("Signed-in reads", () => {
  const read = async (
    count: number,
    targets: ReadonlyArray<Service>,
    headers: Record<string, string>,
    path = "/api/veteran/me"
  ) => {
    let next = 0
    const answers: Array<Answer> = []
    await times(20, async () => {
      while (next < count) answers.push(await call(targets[next++ % targets.length]!, "GET", path, { headers }))
    })
    return tally(answers)
  }

  test("are answered 600 times a minute, whether they address the veteran as me or by id", async () => {
    const { headers, id } = await signInVeteran(service)
    assert.deepStrictEqual(await read(1, [service], headers), { 200: 1 })
    await spendPermits(owner, 499)
    assert.deepStrictEqual(await read(50, [service], headers), { 200: 50 })
    assert.deepStrictEqual(await read(60, [service], headers, `/api/veteran/${id}`), { 200: 50, 429: 10 })
    const other = await call(service, "GET", "/api/veteran/me/self-reported-entries", { headers })
    assert.strictEqual(other.status, 200)
  })

  test("are answered at most 600 times by two processes together", async () => {
    const { headers } = await signInVeteran(service)
    assert.deepStrictEqual(await read(1, [service], headers), { 200: 1 })
    await spendPermits(owner, 399)
    const { 200: answered, 429: refused } = await read(300, [service, second], headers)
    assert.isAtMost(answered!, 200)
    assert.isAbove(answered!, 200 - 64)
    assert.strictEqual(answered! + refused!, 300)
  })
})
