/** How long what happens between an app's request and its code may take, and how often; an app's grants have bounds of their own. */
export const appRequestLimits = {
  codeSeconds: 600,
  resendSeconds: 30,
  /** Codes in an hour for one address that are asked for from one network. */
  codesPerNetwork: 5,
  /** Codes in an hour for one address from all networks together that are new to its veteran. */
  codesFromNewNetworks: 15,
  /** Networks that a veteran is known from, the newest: each may get `codesPerNetwork` more in an hour. */
  knownNetworks: 10,
  triesPerRequest: 5,
  /** An authorization code is good for so long. */
  authorizationCodeSeconds: 60,
  /** Without `offline_access`. */
  onlineSeconds: 3600,
  days: [30, 90, 180, 365]
} as const

/** The days that are chosen unless the veteran chooses others. */
export const usualDays = 90
