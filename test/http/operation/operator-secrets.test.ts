import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, randomAddress } from "../../support/Client.ts"
import { tally } from "../../support/Tally.ts"

const anna = "the secret of Anna, of at least 32 bytes".replace(",", "")

const night = "the secret of the nightly job, of at least 32 bytes".replace(",", "")

const bare = "a bare secret before there were names, 32 bytes".replace(",", "")

const { service } = await openApp({ INTERNAL_ADMIN_SECRET: `${bare},anna:${anna}, night-job2:${night}` })

const get = (path: string, secret: string | undefined, address = randomAddress()) =>
  call(service, "GET", path, {
    headers: {
      "x-forwarded-for": address,
      ...(secret === undefined ? {} : { "x-internal-admin-secret": secret })
    }
  })

const wrong = () => `wrong secret ${randomUUID()}`

const refusals = async () => {
  const { text } = await get("/api/admin/metrics", anna)
  return Object.fromEntries(
    [...text.matchAll(/^admin_refusals_total\{secret="(\w+)"\} (\d+)$/gm)].map(([, secret, count]) => [
      secret,
      Number(count)
    ])
  )
}

describe("Each named secret", () => {
  test.each([["admin", bare], ["anna", anna], ["night-job2", night]])(
    "opens the routes, and an act is noted under its name: %s",
    async (key, secret) => {
      const { json: { id } } = await call(service, "POST", "/api/admin/veterans", {
        headers: { "x-internal-admin-secret": secret },
        body: { vaPatientId: `icn-${randomUUID()}`, callSign: "Eagle", email: "eagle@example.org" }
      })
      const { json } = await get(`/api/admin/acts?target=${id}`, anna)
      assert.deepStrictEqual(json.items.map((act: any) => [act.act, act.key]), [["veteran_registered", key]])
    }
  )

  test("counts without its name alone", async () => {
    for (
      const sent of [`anna:${anna}`, `${bare},anna:${anna}`, `admin:${bare}`, anna.toUpperCase(), `${anna}x`,
        anna.slice(1)]
    ) {
      assert.strictEqual((await get("/api/admin/waitlist", sent)).status, 401, sent)
    }
  })
})

describe("Wrong secrets", () => {
  test("are 401 thirty times in fifteen minutes, also in parallel, and then 429 on every route", async () => {
    const [address, before] = [randomAddress(), await refusals()]
    const answers = await Promise.all(
      Array.from(
        { length: 50 },
        (_, index) => get(index % 2 === 0 ? "/api/admin/providers" : "/api/admin/oauth-clients", wrong(), address)
      )
    )
    assert.deepStrictEqual(tally(answers), { 401: 30, 429: 20 })
    const limited = answers.find(({ status }) => status === 429)!
    const { error, message, requestId, retryAfterSeconds } = limited.json
    assert.deepStrictEqual(
      { error, message, members: Object.keys(limited.json).length },
      {
        error: "rate_limited",
        message: "Too many requests: wait as many seconds as 'retryAfterSeconds' says.",
        members: 4
      }
    )
    assert.match(requestId, /^[0-9a-f-]{36}$/)
    assert.strictEqual(limited.headers.get("retry-after"), `${retryAfterSeconds}`)
    assert.isAbove(retryAfterSeconds, 800)
    assert.isAtMost(retryAfterSeconds, 900)
    // Nobody behind the operator's own address can lock the operator out, nor those at other addresses.
    assert.strictEqual((await get("/api/admin/providers", anna, address)).status, 200)
    assert.strictEqual((await get("/api/admin/providers", wrong(), address)).status, 429)
    assert.strictEqual((await get("/api/admin/providers", wrong())).status, 401)
    const after = await refusals()
    assert.deepStrictEqual([after["wrong"]! - before["wrong"]!, after["limited"]! - before["limited"]!], [31, 21])
  })

  test("from many addresses are 401 each, and count nobody out", async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => get("/api/admin/providers", wrong())))
    assert.deepStrictEqual(tally(answers), { 401: 60 })
  })

  test("from the networks of one site have a limit together", async () => {
    const answers: Array<number> = []
    for (let index = 0; index < 125; index++) {
      const address = `2001:db8:5:${(0x100 + index % 100).toString(16)}::1`
      answers.push((await get("/api/admin/providers", wrong(), address)).status)
    }
    assert.deepStrictEqual([answers.indexOf(429), answers.filter((status) => status === 401).length], [120, 120])
  })

  test("are told from a missing one, which is no guess", async () => {
    const [address, before] = [randomAddress(), await refusals()]
    for (let index = 0; index < 35; index++) {
      const { json, status } = await get("/api/admin/waitlist", index % 2 === 0 ? undefined : "", address)
      assert.deepStrictEqual(
        [status, json.error, json.message],
        [401, "unauthenticated", "The header 'x-internal-admin-secret' is missing or wrong."]
      )
    }
    assert.strictEqual((await get("/api/admin/waitlist", wrong(), address)).status, 401)
    const after = await refusals()
    assert.deepStrictEqual([after["missing"]! - before["missing"]!, after["wrong"]! - before["wrong"]!], [35, 1])
  })
})
