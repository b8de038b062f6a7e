import { Schema } from "effect"

/** A loopback address may have any port, because a native app learns its port when it listens (RFC 8252, 7.3). */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?(?=[/?]|$)/

/** A private-use scheme is a reversed domain name, such as `com.example.app`, so it has a dot (RFC 8252, 7.1). */
const privateScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/

/** The characters of a URI (RFC 3986, 2) without `#`, and also without `*`, because `*` looks like a wildcard. */
const uri = /^(?:[A-Za-z0-9._~:/?[\]@!$&'()+,;=-]|%[0-9A-Fa-f]{2})+$/

const hasUser = (text: string) => /^[^/?]*\/\/[^/?]*@/.test(text)

const isAllowed = (text: string) => {
  if (!uri.test(text) || hasUser(text) || !URL.canParse(text)) return false
  return /^https:\/\/[^/?]/.test(text) || loopback.test(text) || privateScheme.test(text)
}

/** A URI to which the browser may be redirected with an authorization code (OAuth 2.1, 2.3.1). */
export const RedirectUri = Schema.String.check(
  Schema.isMaxLength(2000),
  Schema.makeFilter((text: string) =>
    isAllowed(text) ||
    "Expected an https URL, an http URL of 127.0.0.1 or [::1], or a private scheme with a dot; no fragment, user or wildcard"
  )
)

const withoutPort = (text: string) => text.replace(loopback, "http://$1")

/** Compares character for character, except for the port of a loopback address (OAuth 2.1, 2.3.1). */
export const isRegistered = (sent: string, registered: ReadonlyArray<string>): boolean =>
  registered.includes(sent) ||
  (isAllowed(sent) && loopback.test(sent) && registered.some((uri) => withoutPort(uri) === withoutPort(sent)))
