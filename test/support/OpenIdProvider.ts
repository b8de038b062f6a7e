import escapeHtml from "escape-html"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type Configuration, errors, interactionPolicy, Provider } from "oidc-provider"
import { atEnd } from "./App.ts"
import { listening } from "./Servers.ts"

export interface Account {
  /** Google's `sub`. */
  readonly subject: string
  readonly email?: string
  readonly verified?: unknown
}

/**
 * The real oidc-provider on loopback, in place of Google. It runs at 127.0.0.1 and the service at localhost, so
 * browsers treat them as different sites.
 */
export interface OpenIdProvider {
  readonly issuer: string
  /** The variables for the service's start. */
  readonly environment: Record<"GOOGLE_CLIENT_ID" | "GOOGLE_CLIENT_SECRET" | "GOOGLE_ISSUER", string>
  /** The page of the provider has a button for each of these. Tests add, change and remove accounts. */
  readonly accounts: Map<string, Account>
  /** Replaces all accounts. */
  readonly has: (...accounts: ReadonlyArray<Account>) => void
  /** The method and path of each request so far. A test may empty the list. */
  readonly asked: Array<string>
  readonly close: () => Promise<void>
}

const clientSecret = "test secret of the client at Google"

/** Variables that configure Google at an address where nothing listens. */
export const googleOutOfReach = {
  GOOGLE_CLIENT_ID: "test-client",
  GOOGLE_CLIENT_SECRET: clientSecret,
  GOOGLE_ISSUER: "http://127.0.0.1:2"
}

const callback = /^http:\/\/localhost:\d+\/api\/provider\/google\/callback$/

export const startOpenIdProvider = async (): Promise<OpenIdProvider> => {
  const accounts = new Map<string, Account>()
  const asked: Array<string> = []
  const server = createServer()
  const { close, url: issuer } = await listening(server)
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0)
  const configuration: Configuration = {
    clients: [{
      client_id: "test-client",
      client_secret: clientSecret,
      token_endpoint_auth_method: "client_secret_post",
      // A placeholder: the service's port is not known yet. `redirectUriAllowed` below decides instead.
      redirect_uris: ["http://localhost:1/api/provider/google/callback"]
    }],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["test key of the cookies"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, subject) => {
      const account = accounts.get(subject)
      if (account === undefined) return undefined
      const { email, verified = true } = account
      return {
        accountId: subject,
        claims: () => ({ sub: subject, ...(email === undefined ? {} : { email, email_verified: verified as boolean }) })
      }
    },
    interactions: { policy, url: (_, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope("openid email")
      await grant.save()
      return grant
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 }
  }
  const provider = new Provider(issuer, configuration)
  // Any port is allowed, because the service's port is not known before its start. Everything else must match.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => callback.test(uri)
  const answer = provider.callback()

  const interact = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") {
      return response.setHeader("content-type", "text/html").end(page([...accounts.values()]))
    }
    let body = ""
    for await (const chunk of request) body += chunk
    const subject = new URLSearchParams(body).get("account")!
    const result = subject === ""
      ? { error: "access_denied", error_description: "The person cancelled" }
      : { login: { accountId: subject }, select_account: {} }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  server.on("request", (request, response) => {
    asked.push(`${request.method} ${request.url!.replace(/\?.*/, "")}`)
    if (!request.url!.startsWith("/interaction/")) return void answer(request, response)
    // An interaction fails if it belongs to another browser or has ended.
    interact(request, response).catch((error) => {
      response.writeHead(error instanceof errors.OIDCProviderError ? 400 : 500).end(error.message)
    })
  })
  return {
    issuer,
    environment: { GOOGLE_CLIENT_ID: "test-client", GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer },
    accounts,
    has: (...all) => {
      accounts.clear()
      for (const account of all) accounts.set(account.subject, account)
    },
    asked,
    close: async () => {
      await close()
      if (server.listening) await once(server, "close")
    }
  }
}

/** Opens a provider, which closes at the end of the test file. A file awaits this at its top. */
export const openOpenIdProvider = async () => {
  const provider = await startOpenIdProvider()
  atEnd(provider.close)
  return provider
}

/** Each account's button has a name and a value, so tests can press it over HTTP or in a browser. */
const page = (accounts: ReadonlyArray<Account>) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Choose an account</title><h1>Choose an account</h1>
<form method="post">${
    accounts.map(({ email, subject }) =>
      `<button name="account" value="${escapeHtml(subject)}">${escapeHtml(email ?? subject)}</button>`
    ).join("\n")
  }
<button name="account" value="">Cancel</button></form></html>`
