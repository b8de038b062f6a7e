/** This machine's own names, as a `host` header has them. */
const loopbackNames = ["localhost", "127.0.0.1", "[::1]"]

/** Returns the names that a server on loopback answers to: this machine's, and those of the `addresses` (URLs). */
export const namesOf = (addresses: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set([...loopbackNames, ...addresses.map((address) => nameIn(new URL(address).host))])

/** Returns the name without port, capitals and the dot at its end, or an empty text if it has another form. */
const nameIn = (host: string) => /^(\[[\da-f:.]+\]|[^\s:@/?#[\]]+?)\.?(:\d*)?$/i.exec(host)?.[1]?.toLowerCase() ?? ""

/**
 * Whether a request with this `host` header is answered; each is if `names` is undefined. A browser sends the name from
 * its address bar. A foreign name that leads here (DNS rebinding) would make a stranger's page same-origin.
 */
export const isAnswered = (names: ReadonlySet<string> | undefined, host: string | undefined): boolean =>
  names === undefined || host === undefined || names.has(nameIn(host))

/** The answer to any other name has status 421 (RFC 9110, 15.5.20). */
export const misdirected = {
  error: "misdirected_request",
  message: "In development, only localhost and the names of the configured addresses are answered. " +
    "OAUTH_ISSUER, PROVIDER_PORTAL_URL and VETERAN_APP_URL can name others."
} as const
