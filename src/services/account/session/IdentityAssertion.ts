import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { jwtVerify } from "jose"
import { createSecretKey } from "node:crypto"
import * as AssertionRepository from "../../../sql/account/AssertionRepository.ts"
import { SharedConnections } from "../../../sql/Connections.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { Settings } from "../../platform/Settings.ts"

export interface VerifiedAssertion {
  readonly vaPatientId: string
  /** The assertion is recorded as used under this hash, because it may be used only once. */
  readonly hash: Uint8Array
  readonly endsAt: Date
}

const maxLifetimeSeconds = 300

/** Seconds by which the clock of the issuing server may be ahead. */
const clockSkew = 60

const decodeClaims = Schema.decodeUnknownOption(Schema.Struct({
  iss: Schema.NonEmptyString,
  sub: Schema.NonEmptyString,
  aud: Schema.String,
  jti: Schema.NonEmptyString,
  iat: Schema.Int,
  exp: Schema.Int
}))

/** Checks assertions in which the backend of the veteran's app states that the veteran signed in there (RFC 7523). */
export class IdentityAssertion extends Context.Service<IdentityAssertion, {
  /** Verifies an assertion for `audience`, without recording it as used. An invalid assertion gives `None`. */
  readonly verify: (assertion: string, audience: string) => Effect.Effect<Option.Option<VerifiedAssertion>>
  /** Records the assertion as used. Returns false if it was used before. */
  readonly spend: (assertion: VerifiedAssertion) => Effect.Effect<boolean>
}>()("vrss/services/account/session/IdentityAssertion") {
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
          Effect.map(Option.map(({ exp, iss, jti, sub }): VerifiedAssertion => ({
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
