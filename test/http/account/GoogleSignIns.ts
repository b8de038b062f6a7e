import { createHash, randomBytes, randomUUID } from "node:crypto"
import { assert } from "vitest"
import { Browser } from "../../support/Browser.ts"
import { call, registerProvider } from "../../support/Client.ts"
import type { OpenIdProvider } from "../../support/OpenIdProvider.ts"
import type { Service } from "../../support/Service.ts"

/** The default of PROVIDER_PORTAL_URL; nothing has to listen there. */
export const portal = "http://localhost:8081"

export const cookieName = "__Host-vrss-google"

/** Opens the portal's page in a new browser. The page sends the challenge, and keeps the verifier for the exchange. */
export const openPortal = (address?: string) => {
  const verifier = randomBytes(32).toString("base64url")
  return {
    browser: new Browser(address),
    verifier,
    challenge: createHash("sha256").update(verifier).digest("base64url")
  }
}

export type Portal = ReturnType<typeof openPortal>

export const startUrl = (service: Pick<Service, "url">, { challenge }: Pick<Portal, "challenge">) =>
  `${service.url}/api/provider/google/start?challenge=${challenge}`

/** Presses the sign-in button, stops at Google's page and returns that page. */
export const toGoogle = (service: Pick<Service, "url">, page: Portal) => {
  return page.browser.go(startUrl(service, page), { stopAt: [portal] })
}

/** Signs in at Google, and returns the address to which Google then sends the browser. */
export const toCallback = async (service: Pick<Service, "url">, page: Portal, account: string) => {
  const { url } = await toGoogle(service, page)
  const arrival = await page.browser.go(url, { form: { account }, stopAt: [`${service.url}/`] })
  assert.strictEqual(arrival.url.pathname, "/api/provider/google/callback")
  return arrival.url
}

/** Returns the parameters in the URL's fragment, and asserts that the URL is the portal's. */
export const toldTo = (url: URL) => {
  assert.strictEqual(`${url.origin}${url.pathname}${url.search}`, `${portal}/`)
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
}

/** Goes to `url` and returns the parameters that the portal receives. */
export const comeBack = async (page: Portal, url: string | URL) => {
  const arrival = await page.browser.ask(url)
  assert.strictEqual(arrival.status, 303)
  assert.strictEqual(arrival.text, "")
  return toldTo(new URL(arrival.headers.get("location")!))
}

/** Goes the whole way from the sign-in button back to the portal. */
export const signInAt = async (service: Pick<Service, "url">, page: Portal, account: string) =>
  comeBack(page, await toCallback(service, page, account))

export const exchange = (
  service: Pick<Service, "url">,
  code: string | undefined,
  { verifier }: Pick<Portal, "verifier">,
  headers: Record<string, string> = {}
) => call(service, "POST", "/api/provider/google/exchange", { headers, body: { code, verifier } })

/** Registers a provider, and a Google account with the same e-mail. */
export const registerWithGoogle = async (service: Pick<Service, "url">, google: OpenIdProvider) => {
  const { email, id } = await registerProvider(service)
  const account = { subject: `google-${randomUUID()}`, email }
  google.accounts.set(account.subject, account)
  return { id, ...account }
}
