import { perDay } from "./RateLimit.ts"

/** Apps that a veteran connects, those that are disconnected again too. Each is mailed, and counts as a grant given. */
export const appsConnected = perDay(50)

/** Limits of the steps from an app's request to its authorization code. ConsentGrant.ts has the limits of grants. */
export const appRequestLimits = {
  /** Lifetime of a request. Functions of migrations/023_oauth.sql repeat these ten minutes, so change both. */
  requestSeconds: 600,
  codeDigits: 8,
  codeSeconds: 600,
  resendSeconds: 30,
  /** Maximum number of codes for one e-mail address in an hour, requested from one network. */
  codesPerNetwork: 5,
  /** Maximum number of codes for one e-mail address in an hour, from all unknown networks together. */
  codesFromNewNetworks: 15,
  /** This number of a veteran's newest networks is remembered. Their codes do not count in `codesFromNewNetworks`. */
  knownNetworks: 10,
  triesPerRequest: 5,
  authorizationCodeSeconds: 60,
  /** Lifetime of a grant without `offline_access`. */
  onlineSeconds: 3600,
  /** The lifetimes that a veteran may choose for a grant with `offline_access`. */
  days: [30, 90, 180, 365]
} as const

/** The default lifetime of a grant, in days. The veteran may choose another. */
export const usualDays = 90

export const daysInWords = appRequestLimits.days.join(", ").replace(/, (\d+)$/, " or $1")
