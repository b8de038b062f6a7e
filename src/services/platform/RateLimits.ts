import { Clock, Context, Effect, Layer, Metric, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { type Limit, RateLimited } from "../../domain/RateLimit.ts"
import { atEdge, type EdgeError, SharedConnections } from "../../sql/Connections.ts"
import * as RateLimitRepository from "../../sql/platform/RateLimitRepository.ts"
import { Crypto } from "./Crypto.ts"
import { startJob } from "./Jobs.ts"

const limited = new Map<string, Metric.Counter<number>>()

/** Counts a refusal. All names of limits are literals in this program, so there are few time series. */
export const countLimited = (limit: string) => {
  const existing = limited.get(limit)
  const counter = existing ?? Metric.counter("rate_limited_total", {
    description: "Requests answered 429, by the limit that was reached",
    attributes: { limit },
    incremental: true
  })
  if (existing === undefined) limited.set(limit, counter)
  counter.updateUnsafe(1, Context.empty())
}

interface Lease {
  unspent: number
  size: number
  /** When the lease ends, in milliseconds of the monotonic clock. */
  until: number
  /** The database's time when it granted the permits. `giveBack` needs it. */
  moment: string
  /** How many requests hold the turn or wait for it. */
  users: number
  readonly turn: Semaphore.Semaphore
}

/**
 * Milliseconds for which a process keeps leased permits. Then it gives the unused ones back. A permit counts as spent
 * when its lease starts, which is at most this much before its real use.
 */
const leaseMillis = 2000

const maxLease = 64

/** PostgreSQL counts the limits for all processes. A permit is spent before the work, even if the work then fails. */
export class RateLimits extends Context.Service<RateLimits, {
  /** `route` is the route's template; `subject` is the address, e-mail or id to which the limit applies. */
  readonly spend: (route: string, subject: string, limit: Limit) => Effect.Effect<void, RateLimited>
  /**
   * Counts an act in the transaction that does it, which is open on `sql`. So an act that fails costs nothing, and one
   * too many is undone. Call it last, because it keeps all others with this key waiting.
   */
  readonly count: (
    sql: SqlClient.SqlClient,
    act: string,
    subject: string,
    limit: Limit
  ) => Effect.Effect<void, RateLimited | EdgeError>
  /** Returns the key under which the permits are counted, for a statement that spends them itself. */
  readonly keyOf: (route: string, subject: string) => Uint8Array
}>()("vrss/services/platform/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function*() {
      const spendings = RateLimitRepository.make(yield* SharedConnections)
      const keyedHash = (yield* Crypto).keyedHash("rate-limit")
      const hash = (key: string) => keyedHash(key).subarray(0, 16)
      const keyText = (route: string, subject: string) => `${route} ${subject}`
      const clock = yield* Clock.Clock
      const now = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const leases = new Map<string, Lease>()

      const refusal = (name: string, { retryAfter }: { readonly retryAfter: number }) => {
        countLimited(name)
        return Effect.fail(new RateLimited({ retryAfterSeconds: Math.max(1, Math.ceil(retryAfter)) }))
      }

      const take = Effect.fnUntraced(function*(route: string, key: string, limit: Limit, wanted: number) {
        const { leased, permits, seconds } = limit
        const spend = leased === true ? spendings.lease : spendings.spendPermits
        const spent = yield* spend({ key: hash(key), permits, seconds, wanted })
        return spent.granted > 0 ? spent : yield* refusal(route, spent)
      })

      const giveBack = (key: string, lease: Lease) =>
        Effect.suspend(() => {
          const unused = lease.unspent
          lease.unspent = 0
          return unused === 0 ? Effect.void : spendings.giveBack(hash(key), lease.moment, unused)
        })

      const useOne = (lease: Lease) => {
        const usable = lease.unspent > 0 && now() < lease.until
        if (usable) lease.unspent--
        return usable
      }

      const renew = Effect.fnUntraced(function*(route: string, key: string, limit: Limit, lease: Lease) {
        // If a lease was used up before it ended, it was too small.
        const size = now() < lease.until ? Math.min(2 * lease.size, maxLease) : 1
        yield* giveBack(key, lease)
        const { granted, moment } = yield* take(route, key, limit, size)
        Object.assign(lease, { unspent: granted - 1, size, moment, until: now() + leaseMillis })
      })

      /** Requests with the same key take turns. Otherwise one could lease the last permits while another is refused. */
      const inTurn = <A, E>(lease: Lease, effect: Effect.Effect<A, E>) =>
        Effect.suspend(() => {
          lease.users++
          return Effect.ensuring(lease.turn.withPermits(1)(effect), Effect.sync(() => lease.users--))
        })

      const spendLeased = (route: string, key: string, limit: Limit) => {
        const lease = leases.get(key) ??
          { unspent: 0, size: 0, until: 0, moment: "", users: 0, turn: Semaphore.makeUnsafe(1) }
        leases.set(key, lease)
        if (useOne(lease)) return Effect.void
        const turn = inTurn(lease, Effect.suspend(() => useOne(lease) ? Effect.void : renew(route, key, limit, lease)))
        // `atEdge` limits the whole wait: for earlier requests with this key, and then for the database.
        return Effect.uninterruptible(atEdge(turn))
      }

      const endLeases = Effect.suspend(() =>
        Effect.forEach([...leases].filter(([, { until }]) => until <= now()), ([key, lease]) =>
          Effect.andThen(
            inTurn(lease, Effect.suspend(() => lease.until <= now() ? giveBack(key, lease) : Effect.void)),
            Effect.sync(() => lease.users === 0 && lease.unspent === 0 && leases.delete(key))
          ), { discard: true })
      )

      yield* startJob({ name: "rate limits", every: "1 second", run: endLeases })

      return RateLimits.of({
        // Spending cannot be interrupted: a client that hangs up has spent its try all the same.
        spend: (route, subject, limit) =>
          Effect.suspend(() => {
            const key = keyText(route, subject)
            return limit.leased === true
              ? spendLeased(route, key, limit)
              : Effect.uninterruptible(Effect.asVoid(take(route, key, limit, 1)))
          }),
        count: (sql, act, subject, { permits, seconds }) =>
          Effect.flatMap(
            RateLimitRepository.countAct(sql, { key: hash(keyText(act, subject)), permits, seconds }),
            (spent) => spent.granted > 0 ? Effect.void : refusal(act, spent)
          ),
        keyOf: (route, subject) => hash(keyText(route, subject))
      })
    })
  )
}
