import { randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import type { Answer } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { begin, codeFor, codeMails, registerApp, registerVeteran, submit } from "./Asking.ts"

const { database, service } = await openApp()
const second = await openService(database, { OAUTH_ISSUER: service.url })
const superuser = await database.connect("superuser")
const app = await registerApp(superuser)

/** Picks a random IPv4 network (a /24). Returns a function that gives the address of each host in it. */
const newNetwork = () => {
  const start = `10.${[...randomBytes(2)].join(".")}`
  return (host: number) => `${start}.${host}`
}

const from = (address: string) => ({ "x-forwarded-for": address })

/** Begins a new request and submits its e-mail step from `address`. */
const askFrom = async (address: string, email: string, at: Service = service) =>
  submit(at, "email", await begin(at, app), { email }, from(address))

const strangersAsk = async (count: number, email: string) => {
  for (let times = 0; times < count; times++) {
    assert.strictEqual((await askFrom(newNetwork()(1), email)).status, 200)
  }
}

const mailsTo = async (email: string) => (await codeMails(service, email)).length

const mailsBecome = (count: number, email: string) =>
  until(`${count} codes come to ${email}`, async () => await mailsTo(email) === count)

/** The veteran enters a right code from an address. */
const enterFrom = async (address: string, email: string) => {
  const browser = await begin(service, app)
  const before = await mailsTo(email)
  await submit(service, "email", browser, { email }, from(address))
  const code = await codeFor(service, email, before + 1)
  const page = await submit(service, "code", browser, { code }, from(address))
  assert.include(page.text, "<h1>What may Heart Diary read?</h1>")
}

const spend = (count: number, ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))

const statuses = (answers: ReadonlyArray<Answer>) => answers.map(({ status }) => status).sort()

describe("Codes for one e-mail address", () => {
  test("are limited to five an hour from one network, whether or not the address is known", async () => {
    for (const email of [(await registerVeteran(service)).email, `nobody-${randomUUID()}@example.org`]) {
      const home = newNetwork()
      const answers = []
      for (let times = 1; times <= 6; times++) answers.push(await askFrom(home(times), email))
      assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200, 200, 200, 429])
      assert.isAbove(Number(answers[5]!.headers.get("retry-after")), 3500)
      assert.strictEqual((await askFrom(newNetwork()(1), email)).status, 200, "another network")
    }
  })

  test("are limited to five an hour from one /64 of IPv6", async () => {
    const { email } = await registerVeteran(service)
    const home = `2001:db8:${randomBytes(2).toString("hex")}:1`
    const answers = []
    for (let times = 1; times <= 6; times++) answers.push(await askFrom(`${home}:${times}::7`, email))
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200, 200, 200, 429])
    assert.strictEqual((await askFrom(`${home}0::7`, email)).status, 200)
  })

  test("are limited to fifteen an hour from networks new to the veteran, also for an unknown address", async () => {
    for (const email of [(await registerVeteran(service)).email, `nobody-${randomUUID()}@example.org`]) {
      await strangersAsk(15, email)
      const sixteenth = await askFrom(newNetwork()(1), email)
      assert.strictEqual(sixteenth.status, 429)
      assert.isAbove(Number(sixteenth.headers.get("retry-after")), 3500)
    }
  })

  test("are not made for a refused request, and a refused request does not use up the limit of its network", async () => {
    const { email } = await registerVeteran(service)
    await strangersAsk(15, email)
    await mailsBecome(15, email)
    const home = newNetwork()
    const browser = await begin(service, app)
    for (let times = 1; times <= 6; times++) {
      assert.strictEqual((await submit(service, "email", browser, { email }, from(home(times)))).status, 429)
    }
    const { rows } = await superuser.query(
      "select count(*)::int as codes from oauth_requests r join veterans v on v.id = r.veteran_id where v.email = $1",
      [email]
    )
    assert.deepStrictEqual(rows, [{ codes: 15 }])
    await superuser.query("truncate rate_limit_spendings")
    await enterFrom(home(7), email)
  })
})

describe("A network where the veteran entered the right code", () => {
  test("still gets codes after five requests from new networks, and after their limit of fifteen", async () => {
    const { email } = await registerVeteran(service)
    const home = newNetwork()
    await enterFrom(home(7), email)
    await strangersAsk(5, email)
    await mailsBecome(6, email)
    await enterFrom(home(7), email)
    await strangersAsk(9, email)
    await mailsBecome(1 + 5 + 1 + 9, email)
    assert.strictEqual((await askFrom(newNetwork()(1), email)).status, 429)
    await enterFrom(home(8), email)
  })

  test("has a separate limit of five an hour", async () => {
    const { email } = await registerVeteran(service)
    const home = newNetwork()
    await enterFrom(home(1), email)
    await strangersAsk(14, email)
    const answers = []
    for (let times = 0; times < 5; times++) answers.push(await askFrom(home(1), email))
    assert.deepStrictEqual(answers.map(({ status }) => status), [200, 200, 200, 200, 429])
    await mailsBecome(1 + 14 + 4, email)
  })

  test("is still new for another veteran, who entered a wrong code there", async () => {
    const [one, other] = [await registerVeteran(service), await registerVeteran(service)]
    const home = newNetwork()
    await enterFrom(home(1), one.email)
    const browser = await begin(service, app)
    await submit(service, "email", browser, { email: other.email }, from(home(1)))
    await submit(service, "code", browser, { code: "1" }, from(home(1)))
    await strangersAsk(14, other.email)
    await mailsBecome(15, other.email)
    await askFrom(home(1), other.email)
    await enterFrom(home(1), one.email)
    assert.strictEqual(await mailsTo(other.email), 15)
  })

  test("is stored as a hash, and forgotten after 400 days or after ten newer networks", async () => {
    const { email, id } = await registerVeteran(service)
    const home = newNetwork()
    await enterFrom(home(1), email)
    const kept = async () =>
      (await superuser.query("select * from veteran_networks where veteran_id = $1 order by seen_at desc", [id])).rows
    const [row, ...more] = await kept()
    assert.deepStrictEqual([more, Object.keys(row)], [[], ["veteran_id", "network", "seen_at"]])
    assert.strictEqual(row.network.length, 32)
    await superuser.query("update veteran_networks set seen_at = now() - interval '401 days' where veteran_id = $1", [
      id
    ])
    await strangersAsk(14, email)
    await mailsBecome(15, email)
    await askFrom(home(1), email)
    assert.strictEqual(await mailsTo(email), 15)
    await superuser.query("truncate rate_limit_spendings")
    await superuser.query(
      `insert into veteran_networks select $1, sha256(n::text::bytea), now() - make_interval(hours => n)
       from generate_series(1, 10) as n`,
      [id]
    )
    await enterFrom(newNetwork()(1), email)
    const networks = await kept()
    assert.lengthOf(networks, 10)
    assert.isFalse(networks.some(({ network }) => network.equals(row.network)))
  })
})

describe("Many parallel requests to two processes", () => {
  const processOf = (index: number) => index % 2 === 0 ? service : second

  const mailed = async (email: string) => await mailsTo(email) + (await codeMails(second, email)).length

  test("from one network send only five codes", async () => {
    const { email } = await registerVeteran(service)
    const home = newNetwork()
    const answers = await spend(14, (index) => askFrom(home(index), email, processOf(index)))
    assert.deepStrictEqual(statuses(answers), [...Array(5).fill(200), ...Array(9).fill(429)])
    await until("five codes are mailed", async () => await mailed(email) === 5)
  })

  test("from networks new to the veteran send only fifteen codes", async () => {
    const { email } = await registerVeteran(service)
    const answers = await spend(40, (index) => askFrom(newNetwork()(1), email, processOf(index)))
    assert.deepStrictEqual(statuses(answers), [...Array(15).fill(200), ...Array(25).fill(429)])
    await until("fifteen codes are mailed", async () => await mailed(email) === 15)
  })
})
