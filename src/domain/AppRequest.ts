/** Limits of the steps between an app's request and its code. An app's grants have other limits. */
export const appRequestLimits = {
  codeSeconds: 600,
  resendSeconds: 30,
  /** Codes in an hour for one address that one network requests. */
  codesPerNetwork: 5,
  /** Codes in an hour for one address from all networks together that are new to its veteran. */
  codesFromNewNetworks: 15,
  /** The newest networks that a veteran is known from. Each may request `codesPerNetwork` more codes in an hour. */
  knownNetworks: 10,
  triesPerRequest: 5,
  /** Lifetime of an authorization code. */
  authorizationCodeSeconds: 60,
  /** Lifetime of an access without `offline_access`. */
  onlineSeconds: 3600,
  days: [30, 90, 180, 365]
} as const

/** The number of days that is selected unless the veteran selects another. */
export const usualDays = 90
