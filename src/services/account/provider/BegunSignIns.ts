import { Option } from "effect"
import { timingSafeEqual } from "node:crypto"
import { type Crypto, newSecret } from "../../platform/Crypto.ts"

export interface BegunSignIn {
  /** The S256 challenge of the portal's page that began the sign-in. That page later sends the matching verifier. */
  readonly challenge: string
  /** The address of Google's redirect back must contain it. */
  readonly state: string
  /** Google's ID token must contain it. */
  readonly nonce: string
  /** The service's own PKCE verifier (RFC 7636), sent to Google with the code. */
  readonly verifier: string
  /** The sign-in is recorded as used under this hash. */
  readonly hash: Buffer
}

/** The longest time between the redirect to Google and the return, in seconds. */
export const maxSignInSeconds = 600

/**
 * A sign-in under way is kept in a cookie of the browser. So nothing is stored for browsers that never return, and no
 * browser can finish what another one began (RFC 6749, 10.12). The cookie contains a random seed. State, nonce and
 * verifier are keyed hashes of the seed, so the cookie reveals none of them.
 */
export const makeBegunSignIns = ({ keyedHash }: Pick<Crypto["Service"], "keyedHash">) => {
  const hash = keyedHash("google-sign-in")
  const text = (...parts: ReadonlyArray<string>) => hash(...parts).toString("base64url")
  const seal = (seed: string, challenge: string, end: string) => hash("cookie", seed, challenge, end)

  const signIn = (seed: string, challenge: string): BegunSignIn => ({
    challenge,
    state: text("state", seed),
    nonce: text("nonce", seed),
    verifier: text("verifier", seed),
    hash: hash("sign-in", seed)
  })

  return {
    begin: (challenge: string, now: number) => {
      const seed = newSecret()
      const end = `${Math.floor(now / 1000) + maxSignInSeconds}`
      const cookie = [seed, challenge, end, seal(seed, challenge, end).toString("base64url")].join(".")
      return { cookie, ...signIn(seed, challenge) }
    },
    /** Returns None if the cookie is not ours or too old, or if the state is of another sign-in. */
    recognise: (cookie: string, state: string, now: number): Option.Option<BegunSignIn> => {
      const [, seed, challenge, end, sealed] = pattern.exec(cookie) ?? []
      if (seed === undefined || challenge === undefined || end === undefined || sealed === undefined) {
        return Option.none()
      }
      const begun = signIn(seed, challenge)
      const genuine = timingSafeEqual(Buffer.from(sealed, "base64url"), seal(seed, challenge, end))
      return genuine && state === begun.state && now < Number(end) * 1000 ? Option.some(begun) : Option.none()
    },
    codeHash: (code: string) => hash("code", code)
  }
}

const pattern = /^([\w-]{43})\.([\w-]{43})\.(\d{10,11})\.([\w-]{43})$/
