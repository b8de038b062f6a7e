import { Clock, Context, Duration, Effect } from "effect"
import { SigningNotConfigured } from "../../domain/Release.ts"
import type { SealingIdentity } from "../pdf/Signer.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import type { SigningCertificate } from "./SigningFiles.ts"
import { validityAt, validitySentence } from "./SigningValidity.ts"

/** The certificate and key that seal documents. Production may run without them. */
export class SigningIdentity extends Context.Service<SigningIdentity, {
  readonly identity: Effect.Effect<SealingIdentity, SigningNotConfigured>
}>()("vrss/services/release/SigningIdentity") {}

const dayMillis = Duration.toMillis("1 day")

const consequences = {
  early: "until then signing a release answers 503",
  ending: "from then on signing a release answers 503, so renew it and restart",
  ended: "signing a release answers 503 until it is renewed and the service restarts"
}

/** Seals with a certificate while it is valid. A metric and a daily log line report its validity. */
export const sealingWith = Effect.fnUntraced(function*(certificate: SigningCertificate) {
  const { identity, validFrom, validTo } = certificate
  const clock = yield* Clock.Clock
  yield* sampleGauge(
    "signing_certificate_expires_seconds",
    "Seconds until the certificate that seals releases ends; below 0 it has ended",
    () => Math.floor((validTo.getTime() - clock.currentTimeMillisUnsafe()) / 1000)
  )

  const look = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const validity = validityAt(certificate, now)
    if (validity !== "good") {
      const log = validity === "ending" ? Effect.logWarning : Effect.logError
      yield* log(`${validitySentence(certificate, validity)}: ${consequences[validity]}`)
    }
    // The loop also wakes when the validity begins or ends, so that the log reports it at once.
    const changes = [validFrom, validTo].map((at) => at.getTime() - now).filter((left) => left > 0)
    yield* Effect.sleep(Math.min(dayMillis, ...changes))
  })
  yield* Effect.forkScoped(Effect.forever(look))

  return SigningIdentity.of({
    identity: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const validity = validityAt(certificate, now)
      return validity === "good" || validity === "ending"
        ? Effect.succeed(identity)
        : Effect.fail(new SigningNotConfigured())
    })
  })
})
