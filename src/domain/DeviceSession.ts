import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { AnsweredId, Id } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { perDay } from "./RateLimit.ts"
import { Count, Instant, Seconds, Text } from "./Scalars.ts"
import { VeteranAccess } from "./Veteran.ts"

/** Limits of sessions, pairings and challenges, as seconds or counts. SQL gets them as parameters. */
export const deviceSessionLimits = {
  challengeSeconds: 1_200,
  proofSeconds: 120,
  pairingSeconds: 600,
  codeTries: 5,
  /** Codes that are mailed to one veteran in an hour. */
  codesPerHour: 3,
  /** After this number of wrong codes in a day, only the operator's code pairs this veteran. */
  wrongCodesPerDay: 10,
  sessionSeconds: 12 * 3_600,
  /** A session ends if it is not renewed for this time. */
  idleSeconds: 1_800,
  sessions: 10,
  /** Devices that are counted one by one. They are those that the veteran has had longest, and for more than a day. */
  knownDevices: 10,
  confirmedSeconds: 300,
  identities: 3,
  /** Days for which a code of the operator pairs an account. */
  pairingCodeDays: 14
} as const

/** Sessions of one device or passkey that the veteran had before the last day. What others spend costs it nothing. */
export const sessionsOfKnown = perDay(50)

/** Sessions that begin in any other way, whether they end or not. Two events of each are kept for years. */
export const sessionsBegun = perDay(200)

/** Sign-ins of devices that the service does not know, such as a browser that keeps nothing. Each is mailed. */
export const newDevices = perDay(50)

/** Accounts of the VA that one veteran adds, those that are removed again too. Each is mailed. */
export const identitiesAdded = perDay(10)

/** Proves possession of the device's key for one request (a DPoP proof, RFC 9449, 4.2). */
export const DeviceProof = { dpop: Schema.optionalKey(Schema.String) }

/** What is not one of ours, or too long, gets the answer of the check and not of the schema. */
const IdToken = Schema.String

const Challenge = Schema.String

export const AppChallenge = Schema.Struct({ challenge: Schema.String, expiresIn: Seconds })
  .annotate({ identifier: "AppChallenge" })

export const AppSessionRequest = Schema.Struct({
  idToken: IdToken,
  challenge: Challenge,
  vaPatientId: Text(128),
  device: Schema.optionalKey(Schema.Struct({ name: Text(60) }))
}).annotate({ identifier: "AppSessionRequest" })

export const PairingRequest = Schema.Struct({
  pairingId: Id,
  code: Schema.String.check(Schema.isMaxLength(40)).annotate({
    description: "8 digits of the mail, or the operator's 12 characters; spaces and hyphens do not count"
  })
}).annotate({ identifier: "PairingRequest" })

export const RenewRequest = Schema.Struct({ sessionId: Id }).annotate({ identifier: "RenewRequest" })

/** The answer of every sign-in of the veteran's app. */
export const AppAccess = Schema.Struct({
  ...VeteranAccess.fields,
  sessionId: AnsweredId,
  sessionEndsAt: Instant,
  previousSessionAt: Schema.NullOr(Instant).annotate({ description: "When the veteran signed in before" }),
  confirmedUntil: Schema.NullOr(Instant)
}).annotate({ identifier: "AppAccess" })

export type AppAccess = typeof AppAccess.Type

/** An id_token that was made for a challenge and the key of the proof, in answer to a new sign-in at the VA. */
export const FreshIdToken = Schema.Struct({
  idToken: IdToken,
  challenge: Challenge,
  vaPatientId: Schema.optionalKey(Text(128))
})
  .annotate({ identifier: "FreshIdToken" })

export const DeviceSession = Schema.Struct({
  id: AnsweredId,
  current: Schema.Boolean,
  deviceName: Schema.NullOr(Schema.String),
  how: Schema.Literals(["va", "passkey"]),
  createdAt: Instant,
  lastUsedAt: Instant,
  expiresAt: Instant,
  network: Schema.String.annotate({ description: "The network of the last renewal, such as 203.0.113.0/24" })
}).annotate({ identifier: "DeviceSession" })

export type DeviceSession = typeof DeviceSession.Type

export const DeviceSessionList = PageOf(DeviceSession)

export const VeteranIdentity = Schema.Struct({
  id: AnsweredId,
  issuer: Schema.String,
  pairedAt: Instant,
  how: Schema.Literals(["mail", "operator", "session"])
}).annotate({ identifier: "VeteranIdentity" })

export type VeteranIdentity = typeof VeteranIdentity.Type

export const VeteranIdentityList = PageOf(VeteranIdentity)

/** Told once, because only a keyed hash of the code is kept. */
export const PairingCode = Schema.Struct({
  code: Schema.String.annotate({ description: "12 characters of Crockford's base32" }),
  expiresAt: Instant
}).annotate({ identifier: "PairingCode" })

export class InvalidChallenge extends ApiError<InvalidChallenge>()("InvalidChallenge", {
  code: "invalid_challenge",
  status: 401,
  message: "The challenge is not this service's, has expired, or was used before: ask for a new one."
}) {}

export class InvalidDeviceProof extends ApiError<InvalidDeviceProof>()("InvalidDeviceProof", {
  code: "invalid_device_proof",
  status: 401,
  message: "The header 'dpop' is missing or malformed, or it is old, used, for another route or by another key."
}) {}

export class InvalidIdToken extends ApiError<InvalidIdToken>()("InvalidIdToken", {
  code: "invalid_id_token",
  status: 401,
  message: "The 'idToken' could not be checked: sign in at the VA again."
}) {}

export class PairingRequired extends ApiError<PairingRequired>()("PairingRequired", {
  code: "pairing_required",
  status: 409,
  message: "Prove once that this record is yours: send the code that was mailed or handed to you.",
  fields: { pairingId: AnsweredId, expiresIn: Seconds }
}) {}

export class InvalidPairingCode extends ApiError<InvalidPairingCode>()("InvalidPairingCode", {
  code: "otp_invalid",
  status: 401,
  message: "The code is wrong, has expired, or was tried too often.",
  fields: { attemptsLeft: Count }
}) {}

export class IdentityChanged extends ApiError<IdentityChanged>()("IdentityChanged", {
  code: "identity_changed",
  status: 409,
  message: "The VA's number for you has changed. Call the operator of this service."
}) {}
