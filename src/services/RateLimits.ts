import { Context, Effect, Layer, Schema } from "effect"
import * as RateLimitRepository from "../sql/RateLimitRepository.ts"
import { Statements } from "../sql/Statements.ts"
import { ApiError } from "./ApiError.ts"
import { Crypto } from "./Crypto.ts"

export class RateLimited extends ApiError<RateLimited>()("RateLimited", {
  code: "rate_limited",
  status: 429,
  message: "Too many requests: wait as many seconds as 'retryAfterSeconds' says.",
  fields: { retryAfterSeconds: Schema.Int }
}) {}

export interface Limit {
  readonly permits: number
  /** Length of the sliding window. No span of this length ever holds more than `permits`. */
  readonly seconds: number
  /** For limits far above what a person does: take several permits at a time and spend them in this process. */
  readonly leased?: boolean
}

interface Lease {
  left: number
  readonly size: number
  readonly until: number
}

/** A lease ends before it could shift a window's count by more than this. */
const leaseMillis = 2000
const largestLease = 64

/** Limits counted in PostgreSQL, so that they hold across processes; spent before the work and never given back. */
export class RateLimits extends Context.Service<RateLimits, {
  /** `route` is the route's template, `subject` who is limited: an address, an e-mail, an id. */
  readonly spend: (route: string, subject: string, limit: Limit) => Effect.Effect<void, RateLimited>
}>()("vrss/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function*() {
      const spendPermits = RateLimitRepository.make(yield* Statements).spendPermits
      const hash = (yield* Crypto).keyedHash("rate-limit")
      const leases = new Map<string, Lease>()

      const take = Effect.fnUntraced(function*(key: string, limit: Limit, wanted: number) {
        const spent = yield* spendPermits(hash(key).subarray(0, 16), limit, wanted)
        return spent.granted > 0
          ? spent.granted
          : yield* new RateLimited({ retryAfterSeconds: Math.max(1, Math.ceil(spent.retryAfter)) })
      })

      const spendLeased = Effect.fnUntraced(function*(key: string, limit: Limit) {
        const now = performance.now()
        const lease = leases.get(key)
        if (lease !== undefined && lease.left > 0 && lease.until > now) {
          lease.left--
          return
        }
        // A lease that was spent within half its time was too small; one that was not spent begins again with one.
        const size = lease === undefined || lease.left > 0 || now > lease.until
          ? 1
          : lease.until - now > leaseMillis / 2
          ? Math.min(2 * lease.size, largestLease)
          : lease.size
        const granted = yield* take(key, limit, size)
        if (leases.size >= 10_000) leases.clear()
        const current = leases.get(key)
        const left = granted - 1 + (current === undefined || current === lease || current.until < now ? 0 : current.left)
        leases.set(key, { left, size, until: now + leaseMillis })
      })

      // Uninterruptible: a client that hangs up has spent its try all the same.
      return RateLimits.of({
        spend: (route, subject, limit) => {
          const key = `${route} ${subject}`
          return Effect.uninterruptible(limit.leased === true ? spendLeased(key, limit) : Effect.asVoid(take(key, limit, 1)))
        }
      })
    })
  )
}
