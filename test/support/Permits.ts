import type pg from "pg"

/** Spends permits of the limit that was counted last, as that many further requests would. */
export const spendPermits = (owner: pg.Client, permits: number) =>
  owner.query(
    `insert into rate_limit_spendings
     select key, clock_timestamp(), $1 from rate_limit_spendings order by spent_at desc limit 1`,
    [permits]
  )
