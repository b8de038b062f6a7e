import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, OpenApi } from "effect/http-api"
import {
  AppAccess,
  AppChallenge,
  AppSessionRequest,
  DeviceProof,
  IdentityChanged,
  InvalidChallenge,
  InvalidDeviceProof,
  InvalidIdToken,
  InvalidPairingCode,
  PairingRequest,
  PairingRequired,
  RenewRequest
} from "../../domain/DeviceSession.ts"
import { Conflict, NotFound, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import { InvalidPasskey, PasskeyAnswer } from "../../domain/Passkey.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { NoMembers } from "../../domain/Scalars.ts"
import { described, guardedBy } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit } from "../contract/RequestLimits.ts"

/** Answers 404 to every request if nobody can sign in with the VA. */
export class VaConfigured extends HttpApiMiddleware.Service<VaConfigured>()("vrss/http/VaConfigured", {
  error: NotFound
}) {}

const signInLimit = { permits: 30, seconds: 15 * 60 }

/** Sign-in of the veteran's app (contract, part 14.2). Nobody has a token yet: a key of the device proves itself. */
export class AppSignInApi extends HttpApiGroup.make("appSignIn")
  .add(
    HttpApiEndpoint.post("challenge", "/challenge", {
      payload: NoMembers,
      success: AppChallenge
    })
      .annotate(OpenApi.Summary, "Begin a sign-in")
      .annotate(RateLimit, signInLimit),
    HttpApiEndpoint.post("session", "/session", {
      headers: DeviceProof,
      payload: AppSessionRequest,
      success: AppAccess,
      error: [
        InvalidChallenge,
        InvalidDeviceProof,
        InvalidIdToken,
        PairingRequired,
        IdentityChanged,
        RateLimited,
        ServiceUnavailable
      ]
    })
      .annotate(OpenApi.Summary, "Sign in with an id_token of the VA")
      .annotate(RateLimit, signInLimit),
    HttpApiEndpoint.post("pairing", "/pairing", {
      headers: DeviceProof,
      payload: PairingRequest,
      success: AppAccess,
      error: [Conflict, InvalidDeviceProof, InvalidPairingCode]
    })
      .annotate(OpenApi.Summary, "Pair the VA's account with the veteran, once")
      .annotate(RateLimit, signInLimit),
    HttpApiEndpoint.post("passkey", "/passkey", {
      headers: DeviceProof,
      payload: PasskeyAnswer,
      success: AppAccess,
      error: [InvalidChallenge, InvalidDeviceProof, InvalidPasskey, RateLimited]
    })
      .annotate(OpenApi.Summary, "Sign in with a passkey")
      .annotate(RateLimit, signInLimit),
    HttpApiEndpoint.post("renew", "/renew", {
      headers: DeviceProof,
      payload: RenewRequest,
      success: AppAccess,
      error: [InvalidDeviceProof, Unauthenticated]
    })
      .annotate(OpenApi.Summary, "Get a new access token for the same session")
      .annotate(RateLimit, { permits: 300, seconds: 60 })
  )
  .prefix("/api/auth/veteran/app")
  .annotateEndpoints(BodyLimit, { bytes: 16 * 1024, encodings: [] })
  .pipe(guardedBy(AddressRateLimit))
  .middleware(VaConfigured)
  .annotateMerge(
    described("Sign-in of the veteran's app", "By an id_token of the VA, or a passkey, for a key of the device.")
  )
{}
