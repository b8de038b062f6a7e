/** When data is deleted, forgotten or marked as expired. PostgreSQL and Effect's `Duration` can parse the times. */
export const retention = {
  grants: { what: "a consent grant is marked as expired", after: "1 hour", from: "its end" },
  links: { what: "a secure link is marked as expired", after: "1 hour", from: "its end" },
  codes: { what: "a one-time code's hash is deleted", after: "1 day", from: "it was made" },
  "view sessions": { what: "a view session's hash is deleted", after: "1 day", from: "it was made" },
  "google sign-ins": { what: "a sign-in with Google is deleted", after: "1 hour", from: "Google's answer" },
  "app requests": { what: "an app's request is deleted", after: "1 hour", from: "the request" },
  "app codes": {
    what: "an authorization code's hash is deleted",
    after: "1 day",
    from: "the end of what it gives access to"
  },
  "app tokens": { what: "a refresh token's hash is deleted", after: "1 day", from: "the end of its grant" },
  assertions: { what: "the hash of an identity assertion is deleted", after: "1 minute", from: "its end" },
  minutes: { what: "the minute in which an act was last recorded is deleted", after: "1 hour", from: "that minute" },
  "provider sessions": { what: "a provider's session is deleted", after: "30 days", from: "its end" },
  "password links": { what: "a link to choose a password is deleted", after: "1 hour", from: "its end" },
  "rate limits": { what: "a rate limit's permit is deleted", after: "25 hours", from: "it was spent" },
  // migrations/037_deletion.sql decides it.
  deletions: {
    what: "a veteran who asked to be forgotten is removed, but for what law keeps",
    after: "72 hours",
    from: "they asked"
  },
  networks: { what: "a provider's known network is deleted", after: "90 days", from: "the last sign-in there" },
  "veterans' networks": {
    what: "a network where a veteran entered a code for an app is deleted",
    after: "400 days",
    from: "the last code there"
  },
  "spent tokens": {
    what: "the hash of an id_token or of a device's proof is deleted",
    after: "1 minute",
    from: "its end"
  },
  pairings: { what: "a pairing of a VA account that was not completed is deleted", after: "1 hour", from: "its end" },
  "veteran sessions": {
    what: "a veteran's session is deleted; until then its device is known",
    after: "400 days",
    from: "its end"
  },
  waitlist: { what: "an address on the waitlist is deleted", after: "730 days", from: "it joined" },
  "e-mail changes": {
    what: "the code and the new address of a change of a veteran's e-mail are deleted",
    after: "1 day",
    from: "they were asked for"
  },
  mail: { what: "a notice that could not be sent is given up", after: "1 day", from: "its cause" },
  webhooks: { what: "a message that an app did not take is given up", after: "3 days", from: "its cause" },
  "unfinished uploads": { what: "a file that was never completed is deleted", after: "1 hour", from: "its last byte" },
  trash: { what: "a file that no row needs is deleted", after: "7 days", from: "it was moved to trash" },
  "inactive items": {
    what: "an item of a record that is no longer active is deleted",
    setting: "INACTIVE_ITEM_DAYS",
    unit: "days",
    from: "the sync that did not have it"
  },
  releases: {
    what: "a release that was shown and that its veteran deleted is deleted for good",
    setting: "RELEASE_RETENTION_YEARS",
    unit: "years",
    from: "its end",
    law: "45 CFR 164.530(j): six years at least"
  },
  disclosures: {
    what: "an event of the account of disclosures is forgotten; its hash stays in the tree",
    setting: "DISCLOSURE_RETENTION_YEARS",
    unit: "years",
    from: "it happened",
    law: "45 CFR 164.528(a): a veteran may ask for six years"
  }
} as const

type Name = keyof typeof retention

/** The rules of rows that are deleted only from an hour after the start: nothing brings them back. */
export const keptRows = ["inactive items", "waitlist", "disclosures"] as const satisfies ReadonlyArray<Name>

/** The rules of what is not swept as rows: files, what other deletions and sign-ins remove, what is given up. */
const elsewhere = ["deletions", "networks", "mail", "webhooks", "unfinished uploads", "trash", "releases"] as const

type Elsewhere = typeof elsewhere[number]

/** The names of rules by which expired rows are deleted or marked. */
export type SweptRows = Exclude<Name, Elsewhere>

export const expiringRows = (Object.keys(retention) as Array<SweptRows>).filter((name) =>
  ![...elsewhere, ...keptRows].includes(name as never)
)

/** A rule of this deployment, for display. If `after` is undefined, the data is kept for ever. */
export interface RetentionRule {
  readonly name: string
  readonly what: string
  readonly after: string | undefined
  readonly from: string
  readonly setting?: string
  readonly law?: string
}

type Rule = typeof retention[keyof typeof retention]

/** Returns the rules with the times that a deployment has set. */
export const retentionRules = (
  times: { readonly [S in Extract<Rule, { readonly setting: string }>["setting"]]: number | undefined }
): ReadonlyArray<RetentionRule> =>
  Object.entries(retention).map(([name, rule]) => {
    if (!("setting" in rule)) return { name, ...rule }
    const { unit, ...fixed } = rule
    const set = times[rule.setting]
    return { name, ...fixed, after: set === undefined ? undefined : `${set} ${unit}` }
  })
