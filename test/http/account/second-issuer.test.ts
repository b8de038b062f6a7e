import { createHash, randomBytes, randomUUID } from "node:crypto"
import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { Browser } from "../../support/Browser.ts"
import {
  askChallenge,
  type Device,
  newDevice,
  operatorCode,
  pair,
  prove,
  registerPerson,
  signInPath
} from "../../support/Device.ts"
import { openOpenIdProvider } from "../../support/OpenIdProvider.ts"
import { nonceOf } from "../../support/VaIssuer.ts"

/** The independent issuer `oidc-provider`, whose keys and id_tokens this project did not write. */
const provider = await openOpenIdProvider()

const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = provider.environment

const { service } = await openApp({
  VA_CLIENT_ID: clientId,
  VA_ISSUER: provider.issuer,
  VA_KEYS: `${provider.issuer}/jwks`
})

const redirectUri = "http://localhost:1/api/provider/google/callback"

/** Signs in at the issuer with the nonce of a new challenge, and returns the id_token. */
const signInAt = async ({ thumbprint }: Device, account: string) => {
  const challenge = await askChallenge(service)
  const verifier = randomBytes(32).toString("base64url")
  const browser = new Browser()
  const asked = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "openid",
    state: randomUUID(),
    nonce: nonceOf(challenge, thumbprint),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  })
  const { url } = await browser.go(`${provider.issuer}/auth?${asked}`, { stopAt: [] })
  const arrival = await browser.go(url, { form: { account }, stopAt: [redirectUri] })
  const answer = await fetch(`${provider.issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: arrival.url.searchParams.get("code")!,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
      code_verifier: verifier
    })
  })
  const { id_token: idToken } = await answer.json() as { readonly id_token: string }
  return { challenge, idToken }
}

test("An id_token of an independent issuer begins a pairing, and signs in once the account is paired", async () => {
  const subject = `account-${randomUUID()}`
  provider.has({ subject })
  const person = await registerPerson(service)
  const device = await newDevice()
  const begin = async () => {
    const signedIn = await signInAt(device, subject)
    return prove(service, device, `${signInPath}/session`, signedIn.challenge, {
      ...signedIn,
      vaPatientId: person.vaPatientId
    })
  }
  const asked = await begin()
  assert.strictEqual(asked.json.error, "pairing_required", asked.text)
  const code = await operatorCode(service, person.id)
  assert.strictEqual((await pair(service, device, asked.json.pairingId, code)).status, 200)
  const again = await begin()
  assert.deepStrictEqual([again.status, again.json.veteran.id], [200, person.id])
})
