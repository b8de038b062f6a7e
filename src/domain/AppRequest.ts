/** Times and counts between an app's request and its authorization code. For grants see ConsentGrant.ts. */
export const appRequestLimits = {
  /** Lifetime of a request. Functions of migrations/023_oauth.sql repeat these ten minutes, so change both. */
  requestSeconds: 600,
  codeDigits: 8,
  codeSeconds: 600,
  resendSeconds: 30,
  /** Codes for one address in an hour, requested from one network. */
  codesPerNetwork: 5,
  /** Codes for one address in an hour, from all networks together that are new to the veteran. */
  codesFromNewNetworks: 15,
  /** Most networks remembered for a veteran, the newest: each may get `codesPerNetwork` more codes in an hour. */
  knownNetworks: 10,
  triesPerRequest: 5,
  authorizationCodeSeconds: 60,
  /** Lifetime of a grant without `offline_access`. */
  onlineSeconds: 3600,
  /** The lifetimes that a veteran may choose for a grant with `offline_access`. */
  days: [30, 90, 180, 365]
} as const

/** The lifetime that is chosen unless the veteran chooses another, in days. */
export const usualDays = 90

export const daysInWords = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  appRequestLimits.days.map(String)
)
