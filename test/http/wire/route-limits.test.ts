import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, randomAddress, signInVeteran } from "../../support/Client.ts"
import { nobody } from "../../support/Formats.ts"
import { spendPermits } from "../../support/Permits.ts"

// rate-limits.test.ts has how the limits work: in parallel, over two processes, after a while, for every body.
const { database, service } = await openApp()

const owner = await database.connect("owner")

const own = "/api/veteran/me"

/** Each route, the number of requests that are answered, and the length of the time in seconds. */
const byAddress: ReadonlyArray<readonly [route: string, permits: number, seconds: number]> = [
  ["POST /api/secure-links/open", 30, 900],
  ["POST /api/secure-links/otp", 30, 900],
  ["POST /api/secure-links/otp/verify", 30, 900],
  ["POST /api/secure-links/view", 30, 900],
  ["POST /api/secure-links/status", 600, 60],
  ["POST /api/shl/x", 30, 900],
  ["GET /api/shl/x/files/y", 30, 900],
  ["POST /api/releases/verify", 60, 900]
]

const byVeteran: typeof byAddress = [
  [`POST ${own}/documents`, 60, 3600],
  [`POST ${own}/roi/preview`, 10, 900],
  [`GET ${own}/roi/${nobody}/fhir`, 600, 60],
  [`GET ${own}/consent-grants/${nobody}/fhir`, 600, 60],
  [`GET ${own}/disclosures/fhir`, 600, 60]
]

type Asker = Readonly<Record<string, string>>

/** Asks without a valid body, which counts as any other request. */
const ask = (route: string, headers: Asker) => {
  const [method, path] = route.split(" ") as [string, string]
  return call(service, method, path, { headers, ...(method === "GET" ? {} : { body: "{" }) })
}

/** Asserts that a limit holds for the asker on this route, and neither for another asker nor on the next route. */
const assertLimit = async (
  [route, permits, seconds]: typeof byAddress[number],
  asker: Asker,
  other: Asker,
  next: string
) => {
  assert.notStrictEqual((await ask(route, asker)).status, 429)
  await spendPermits(owner, permits - 2)
  assert.notStrictEqual((await ask(route, asker)).status, 429)
  const { headers, json, status } = await ask(route, asker)
  assert.deepStrictEqual([status, json.error], [429, "rate_limited"])
  assert.strictEqual(headers.get("retry-after"), `${json.retryAfterSeconds}`)
  assert.isAtLeast(json.retryAfterSeconds, 1)
  assert.isAtMost(json.retryAfterSeconds, seconds)
  // The reader of a SMART Health Link may be a page of any origin.
  assert.strictEqual(headers.get("access-control-allow-origin"), route.includes("/shl/") ? "*" : null)
  assert.notStrictEqual((await ask(route, other)).status, 429)
  assert.notStrictEqual((await ask(next, asker)).status, 429)
}

const nextOf = (table: typeof byAddress, route: string) =>
  table[(table.findIndex(([one]) => one === route) + 1) % table.length]![0]

describe("A limit of requests", () => {
  test.each(byAddress)("to %s: %i are answered in %i seconds from one address", async (...row) => {
    const [asker, other] = [{ "x-forwarded-for": randomAddress() }, { "x-forwarded-for": randomAddress() }]
    await assertLimit(row, asker, other, nextOf(byAddress, row[0]))
  })

  test.each(byVeteran)("to %s: %i are answered in %i seconds to one veteran", async (...row) => {
    const [asker, other] = [(await signInVeteran(service)).headers, (await signInVeteran(service)).headers]
    await assertLimit(row, asker, other, nextOf(byVeteran, row[0]))
  })
})
