import { Context, Effect, Layer, PartitionedSemaphore } from "effect"
import { argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { ServiceUnavailable } from "../../../domain/Errors.ts"
import { sampleGauge } from "../../platform/Gauges.ts"

/** OWASP Password Storage Cheat Sheet: argon2id with m = 19 MiB, t = 2, p = 1. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 }

const tagLength = 32

const atOnce = 2

const maxInFlight = 64

/** The operator is known, and so is a provider in a network where that provider has signed in before. */
export type Asker = "known" | "stranger"

/**
 * Passwords are hashed with argon2id (RFC 9106) and stored as PHC strings. Only two hashes run at a time, so that
 * other work has threads. Known clients and strangers wait in two queues, which take turns: at most one stranger goes
 * before a known client. Each queue has room for all tries that two addresses may make at once. If it is full, the
 * answer is 503.
 */
export class Password extends Context.Service<Password, {
  readonly hash: (password: string) => Effect.Effect<string, ServiceUnavailable>
  /** Without a stored hash (for an unknown e-mail) the check takes the same time and returns false. */
  readonly verify: (
    password: string,
    stored: string | undefined,
    asker: Asker
  ) => Effect.Effect<boolean, ServiceUnavailable>
}>()("vrss/services/account/provider/Password") {
  static readonly layer = Layer.effect(
    Password,
    Effect.gen(function*() {
      const slots = yield* PartitionedSemaphore.make<Asker>({ permits: atOnce })
      const inFlight = { known: 0, stranger: 0 }
      for (const asker of ["known", "stranger"] as const) {
        yield* sampleGauge(
          "password_hashes_in_flight",
          `Passwords being hashed or waiting for it, at most ${maxInFlight} of each kind`,
          () => inFlight[asker],
          { asker }
        )
      }
      const guarded = <A>(asker: Asker, work: Effect.Effect<A>) =>
        Effect.suspend(() => {
          if (inFlight[asker] >= maxInFlight) return Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
          inFlight[asker]++
          return Effect.ensuring(slots.withPermit(asker)(work), Effect.sync(() => inFlight[asker]--))
        })

      const hash = Effect.fnUntraced(function*(password: string) {
        const salt = randomBytes(16)
        const tag = yield* guarded("known", derive(password, salt, parameters))
        const { memory, parallelism, passes } = parameters
        return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
      })
      const decoy = yield* hash(randomBytes(16).toString("hex")).pipe(Effect.orDie)

      const verify = Effect.fnUntraced(function*(password: string, stored: string | undefined, asker: Asker) {
        const [, m, t, p, salt, tag] = phc.exec(stored ?? decoy)!
        const derived = yield* guarded(
          asker,
          derive(password, Buffer.from(salt!, "base64"), {
            memory: Number(m),
            passes: Number(t),
            parallelism: Number(p)
          })
        )
        return timingSafeEqual(derived, Buffer.from(tag!, "base64")) && stored !== undefined
      })

      return Password.of({ hash, verify })
    })
  )
}

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{43})$/

const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/={1,2}$/, "")

const derive = (password: string, nonce: Buffer, cost: typeof parameters) =>
  Effect.promise(() => promisify(argon2)("argon2id", { message: password, nonce, tagLength, ...cost }))
