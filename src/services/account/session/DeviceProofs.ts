import { Context, Effect, Layer, Schema } from "effect"
import { calculateJwkThumbprint, compactVerify, importJWK } from "jose"
import { createHash } from "node:crypto"
import { deviceSessionLimits, InvalidDeviceProof } from "../../../domain/DeviceSession.ts"
import type { Once } from "../../../sql/account/SignInRepository.ts"
import { Settings } from "../../platform/Settings.ts"

/** The request that a proof is for. */
export interface ProvenRequest {
  /** The header `dpop`. Node joins a header that is sent twice, and the result is no proof. */
  readonly proof: string | undefined
  readonly method: string
  /** The path as the client sent it. */
  readonly path: string
}

export interface VerifiedProof extends Once {
  /** SHA-256 thumbprint of the device's key (RFC 7638). */
  readonly thumbprint: Buffer
}

const maxBytes = 4096

/** 32 bytes in base64url. Several spellings have the same bytes, and only one is accepted. */
const Coordinate = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const bytes = Buffer.from(text, "base64url")
    return bytes.length === 32 && bytes.toString("base64url") === text
  })
)

/** The library reads the algorithm again. A private key here is refused: somebody would have published it. */
const Header = Schema.Struct({
  typ: Schema.Literal("dpop+jwt"),
  alg: Schema.Literal("ES256"),
  jwk: Schema.Struct({
    kty: Schema.Literal("EC"),
    crv: Schema.Literal("P-256"),
    x: Coordinate,
    y: Coordinate,
    d: Schema.optionalKey(Schema.Never)
  }),
  crit: Schema.optionalKey(Schema.Never)
})

const Claims = Schema.Struct({
  htm: Schema.String,
  htu: Schema.String,
  iat: Schema.Finite,
  jti: Schema.NonEmptyString,
  nonce: Schema.String
})

const decodeHeader = Schema.decodeUnknownSync(Header)

const decodeClaims = Schema.decodeUnknownSync(Schema.fromJsonString(Claims))

/** Checks who holds a device's key: a DPoP proof without an access token (RFC 9449, 4.3). */
export class DeviceProofs extends Context.Service<DeviceProofs, {
  /** Does not record the proof as used. `now` is the database's time, in seconds since the epoch. */
  readonly verify: (
    request: ProvenRequest,
    nonce: string,
    now: number
  ) => Effect.Effect<VerifiedProof, InvalidDeviceProof>
}>()("vrss/services/account/session/DeviceProofs") {
  static readonly layer = Layer.effect(
    DeviceProofs,
    Effect.gen(function*() {
      const { publicUrl } = yield* Settings

      const read = async ({ method, path, proof }: ProvenRequest, nonce: string, now: number) => {
        if (proof === undefined || proof.length > maxBytes) throw new InvalidDeviceProof()
        let thumbprint = ""
        const { payload } = await compactVerify(proof, async (sent) => {
          const { jwk } = decodeHeader(sent)
          thumbprint = await calculateJwkThumbprint(jwk)
          return importJWK(jwk, "ES256")
        }, { algorithms: ["ES256"] })
        const claims = decodeClaims(Buffer.from(payload).toString())
        const counts = claims.htm === method && claims.htu === `${publicUrl}${path}` && claims.nonce === nonce &&
          Math.abs(now - claims.iat) <= deviceSessionLimits.proofSeconds
        if (!counts) throw new InvalidDeviceProof()
        return {
          thumbprint: Buffer.from(thumbprint, "base64url"),
          // Only the holder of the key can use up its proofs.
          hash: createHash("sha256").update(`proof ${thumbprint} ${claims.jti}`).digest(),
          endsAt: new Date((claims.iat + 2 * deviceSessionLimits.proofSeconds) * 1000)
        }
      }

      return DeviceProofs.of({
        verify: (request, nonce, now) =>
          Effect.tryPromise({ try: () => read(request, nonce, now), catch: () => new InvalidDeviceProof() })
      })
    })
  )
}
