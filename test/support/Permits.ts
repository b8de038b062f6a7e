import type pg from "pg"
import { assert } from "vitest"
import type { Answer } from "./Client.ts"

/** Spends permits of the limit that was counted last, as that many further requests would. */
export const spendPermits = (owner: pg.Client, permits: number) =>
  owner.query(
    `insert into rate_limit_spendings
     select key, clock_timestamp(), $1 from rate_limit_spendings order by spent_at desc limit 1`,
    [permits]
  )

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
