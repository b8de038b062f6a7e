import { Context, Effect, Layer, Redacted } from "effect"
import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto"
import { Unauthenticated } from "../../domain/Errors.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { ActingOperator } from "../../sql/operation/AdminActs.ts"
import { counters } from "../platform/Gauges.ts"
import type { OperatorSecret } from "../platform/OperatorSecrets.ts"
import { RateLimits } from "../platform/RateLimits.ts"
import { Settings } from "../platform/Settings.ts"

/** A client's address, or a larger network with it, that may send `times` as many wrong secrets. */
export type Network = readonly [network: string, times: number]

const wrongSecrets = { permits: 30, seconds: 900 }

const countRefusal = counters("admin_refusals_total", {
  description: "Requests to the operator's routes that were refused, by what was wrong with the secret",
  label: "secret",
  values: ["missing", "wrong", "limited"]
})

/** Knows the operators by their secrets (contract, part 10). */
export class Operators extends Context.Service<Operators, {
  /**
   * Returns the name of a secret. A right one is never limited: otherwise a stranger behind the operator's own address
   * could lock the operator out by sending wrong ones. A missing one is no guess, and is not counted by the limit.
   */
  readonly identify: (
    sent: string,
    networks: ReadonlyArray<Network>
  ) => Effect.Effect<string, Unauthenticated | RateLimited>
}>()("vrss/services/operation/Operators") {
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function*() {
      const limits = yield* RateLimits
      const nameOf = matcher((yield* Settings).operatorSecrets)

      const spend = (networks: ReadonlyArray<Network>) =>
        Effect.forEach(
          networks,
          ([network, times]) =>
            limits.spend("operator's secret", network, { ...wrongSecrets, permits: times * wrongSecrets.permits }),
          {
            discard: true
          }
        ).pipe(Effect.tapError(() => Effect.sync(() => countRefusal("limited"))))

      return Operators.of({
        identify: Effect.fnUntraced(function*(sent, networks) {
          const name = nameOf(sent)
          if (name !== undefined) return name
          if (sent !== "") yield* spend(networks)
          countRefusal(sent === "" ? "missing" : "wrong")
          return yield* new Unauthenticated({ message: "The header 'x-internal-admin-secret' is missing or wrong." })
        })
      })
    })
  )
}

/**
 * Compares a secret with all others by their hashes, which have the same length, and stops at none. So the time
 * reveals nothing about any of them, nor which one was right.
 */
export const matcher = (secrets: ReadonlyArray<OperatorSecret>) => {
  const key = createSecretKey(randomBytes(32))
  const hash = (value: string) => createHmac("sha256", key).update(value).digest()
  const known = secrets.map(({ name, secret }) => ({ name, hash: hash(Redacted.value(secret)) }))
  return (sent: string): string | undefined => {
    const sentHash = hash(sent)
    const matches = known.filter((one) => timingSafeEqual(one.hash, sentHash))
    return matches[0]?.name
  }
}

/** Runs an operator's request, so that each of its acts is noted under their key. */
export const underOperator = <A, E, R>(
  operator: { readonly key: string; readonly requestId: string },
  request: Effect.Effect<A, E, R>
) => Effect.provideService(request, ActingOperator, operator)
