import { createSecretKey, hkdfSync } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { hashUnder } from "../../src/services/platform/Envelope.ts"
import { developmentSecret } from "../../src/services/platform/VariableRules.ts"
import type { Answer } from "./Client.ts"

const countingKey = createSecretKey(
  Buffer.from(hkdfSync("sha256", developmentSecret("APP_SECRET"), "", "vrss/1/rate-limit", 32))
)

/**
 * Spends permits of the limit that a request counted last, as that many further requests would. The mails to a veteran
 * are counted a moment after the act that they tell.
 */
export const spendPermits = async (owner: pg.Client, permits: number) => {
  const { rows } = await owner.query("select id from veterans")
  const ofMails = rows.map(({ id }) => hashUnder(countingKey, `mails ${id}`).subarray(0, 16))
  return owner.query(
    `insert into rate_limit_spendings
     select key, clock_timestamp(), $1 from rate_limit_spendings where key <> all ($2) order by spent_at desc limit 1`,
    [permits, ofMails]
  )
}

/** Lets time pass for every permit that was spent so far. */
export const letPermitsAge = (owner: pg.Client, hours: number) =>
  owner.query("update rate_limit_spendings set spent_at = spent_at - make_interval(hours => $1)", [hours])

/** Asserts that an act is one too many, and until when: the oldest permit of the day ends in this many hours. */
export const assertEnough = ({ headers, json, status }: Answer, hours: number) => {
  const { requestId: _, retryAfterSeconds, ...body } = json
  assert.deepStrictEqual([status, body], [429, {
    error: "rate_limited",
    message: "Too many requests: wait as many seconds as 'retryAfterSeconds' says."
  }])
  assert.strictEqual(headers.get("retry-after"), `${retryAfterSeconds}`)
  assert.isAtMost(retryAfterSeconds, hours * 3600)
  assert.isAbove(retryAfterSeconds, hours * 3600 - 600)
}
