import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { jwtVerify } from "jose"
import { createSecretKey } from "node:crypto"
import * as AssertionRepository from "../../sql/account/AssertionRepository.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"

/** Whom an app's backend vouches for. */
export interface Vouched {
  readonly vaPatientId: string
  /** Under this hash the assertion is spent: it counts once. */
  readonly hash: Uint8Array
  readonly endsAt: Date
}

/** No assertion lives longer than this many seconds. */
const maxLifetimeSeconds = 300

/** An assertion may come from a server whose clock is ahead by this many seconds. */
const clockSkew = 60

const decodeClaims = Schema.decodeUnknownOption(Schema.Struct({
  iss: Schema.NonEmptyString,
  sub: Schema.NonEmptyString,
  aud: Schema.String,
  jti: Schema.NonEmptyString,
  iat: Schema.Int,
  exp: Schema.Int
}))

/**
 * By an identity assertion the backend of the veteran's app vouches that the veteran signed in upstream (RFC 7523): whoever takes
 * the exchange secret out of an app cannot make one.
 */
export class IdentityAssertion extends Context.Service<IdentityAssertion, {
  /** Whom it vouches for towards `audience`; none where it is malformed, expired, wrongly signed or for somebody else. It spends nothing. */
  readonly verify: (assertion: string, audience: string) => Effect.Effect<Option.Option<Vouched>>
  /** False: it was used before. */
  readonly spend: (vouched: Vouched) => Effect.Effect<boolean>
}>()("vrss/IdentityAssertion") {
  static readonly layer = Layer.effect(
    IdentityAssertion,
    Effect.gen(function*() {
      const { identityAssertionSecret } = yield* Settings
      const assertions = AssertionRepository.make(yield* SharedConnections)
      const hash = (yield* Crypto).keyedHash("identity-assertion")
      const key = createSecretKey(Buffer.from(Redacted.value(identityAssertionSecret)))

      const verify = Effect.fnUntraced(function*(assertion: string, audience: string) {
        const now = yield* Clock.currentTimeMillis
        return yield* Effect.tryPromise(() =>
          jwtVerify(assertion, key, {
            algorithms: ["HS256"],
            typ: "vrss-identity+jwt",
            audience,
            currentDate: new Date(now)
          })
        ).pipe(
          Effect.option,
          Effect.map(Option.flatMap(({ payload }) => decodeClaims(payload))),
          Effect.map(
            Option.filter(({ exp, iat }) =>
              iat <= now / 1000 + clockSkew && iat < exp && exp - iat <= maxLifetimeSeconds
            )
          ),
          Effect.map(Option.map(({ exp, iss, jti, sub }): Vouched => ({
            vaPatientId: sub,
            hash: hash(iss, jti),
            endsAt: new Date(exp * 1000)
          })))
        )
      })

      return IdentityAssertion.of({ verify, spend: assertions.spend })
    })
  )
}
