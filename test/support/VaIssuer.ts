import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { createHash, randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { type AtEnd, atEnd } from "./App.ts"
import { listening } from "./Servers.ts"

const clientId = "test-veteran-app"

/** At the VA, `iss` is not the address that the keys are fetched from. */
const issuer = "https://issuer.va.example/oauth2/default"

/** Variables that configure the VA at an address where nothing listens. */
export const vaOutOfReach = { VA_CLIENT_ID: clientId, VA_ISSUER: issuer, VA_KEYS: "http://127.0.0.1:2/keys" }

export interface Signing {
  readonly kid?: string
  readonly alg?: "RS256" | "ES256" | "HS256"
  /** Signs with a key that the issuer does not publish. */
  readonly stranger?: boolean
}

/** How the issuer answers a request for its keys. */
export type KeysAnswer = "keys" | "none" | "broken" | "redirect" | "silent" | "endless" | "unavailable"

/** An issuer under the test's control, in place of the VA: it publishes keys, and signs what a test wants. */
export const openVaIssuer = async (register: AtEnd = atEnd) => {
  const pairs = {
    rsa: await generateKeyPair("RS256", { extractable: true }),
    ec: await generateKeyPair("ES256", { extractable: true }),
    stranger: await generateKeyPair("RS256", { extractable: true })
  }
  const published = [
    { ...await exportJWK(pairs.rsa.publicKey), kid: "rsa", alg: "RS256", use: "sig" },
    { ...await exportJWK(pairs.ec.publicKey), kid: "ec", alg: "ES256", use: "sig" }
  ]
  let answers: KeysAnswer = "keys"
  let asked = 0
  const { close, url } = await listening(createServer((_, response) => {
    asked++
    if (answers === "silent") return
    if (answers === "redirect") return response.writeHead(302, { location: "/keys" }).end()
    if (answers === "unavailable") return response.writeHead(503).end()
    if (answers === "endless") {
      response.writeHead(200, { "content-type": "application/json" })
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
      }
      response.on("drain", more).on("error", () => {})
      return more()
    }
    const body = answers === "broken" ? "{" : JSON.stringify({ keys: answers === "none" ? [] : published })
    response.writeHead(200, { "content-type": "application/json" }).end(body)
  }))
  const keys = `${url}/keys`
  register(close)

  /** Returns an id_token with these claims. `undefined` leaves a claim out. */
  const idToken = (claims: JWTPayload, { alg = "RS256", kid, stranger = false }: Signing = {}) => {
    const now = Math.floor(Date.now() / 1000)
    const all = { iss: issuer, aud: clientId, iat: now, exp: now + 3600, ...claims }
    const key = alg === "HS256"
      ? Buffer.from(JSON.stringify(published[0]))
      : stranger
      ? pairs.stranger.privateKey
      : alg === "ES256"
      ? pairs.ec.privateKey
      : pairs.rsa.privateKey
    return new SignJWT(JSON.parse(JSON.stringify(all)))
      .setProtectedHeader({ alg, kid: kid ?? (alg === "ES256" ? "ec" : "rsa") })
      .sign(key)
  }

  return {
    clientId,
    issuer,
    keys,
    privateKey: pairs.rsa.privateKey,
    environment: { ...vaOutOfReach, VA_KEYS: keys },
    idToken,
    answer: (wanted: KeysAnswer) => {
      answers = wanted
    },
    asked: () => asked
  }
}

export type VaIssuer = Awaited<ReturnType<typeof openVaIssuer>>

/** The account at the VA of a person who signs in for the first time. */
export const newSubject = () => `00u${randomUUID()}`

/** The nonce that binds an id_token to a challenge and to a device's key. */
export const nonceOf = (challenge: string, thumbprint: string) =>
  createHash("sha256").update(`${challenge}.${thumbprint}`).digest("base64url")
