/** How long what happens between an app's request and its code may take, and how often; an app's grants have bounds of their own. */
export const appRequestLimits = {
  codeSeconds: 600,
  resendSeconds: 30,
  /** So many codes an hour one address is sent, over all requests. */
  codesPerAddress: 5,
  triesPerRequest: 5,
  /** An authorization code is good for so long. */
  authorizationCodeSeconds: 60,
  /** Without `offline_access`. */
  onlineSeconds: 3600,
  days: [30, 90, 180, 365]
} as const

/** The days that are chosen unless the veteran chooses others. */
export const usualDays = 90
