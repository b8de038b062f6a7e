import { Option } from "effect"
import { timingSafeEqual } from "node:crypto"
import { type Crypto, newSecret } from "../platform/Crypto.ts"

/** A browser that was sent to Google, and is to come back from there. */
export interface BegunSignIn {
  /** What the page that began it will prove to know the verifier of. */
  readonly challenge: string
  /** These three go to Google: in the address, within the ID token, with the code. */
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Names the sign-in where it is noted as used. */
  readonly hash: Buffer
}

/** In seconds. */
export const maxSignInSeconds = 600

/**
 * What a sign-in needs until the browser is back stands in a cookie of that browser alone, so that nothing is stored for those
 * who never come back, and nobody finishes what another browser began (RFC 6749, 10.12). The cookie holds a random seed; state,
 * nonce and verifier are hashes of it under a key of ours, so that who reads the cookie knows none of them.
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
    /** None: the cookie is not ours or too old, or the state is that of another sign-in. */
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
