import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { atEnd } from "./App.ts"
import { listening } from "./Servers.ts"

export interface Token {
  readonly claims: JWTPayload
  readonly header: { readonly alg: string; readonly kid?: string }
}

/** What a test changes in an otherwise correct issuer. */
export interface Hostility {
  readonly idToken?: (token: Token, sign: (token: Token) => Promise<string>) => string | Promise<string>
  readonly discovery?: (document: Record<string, unknown>) => unknown
  /** Answers a request instead of the issuer. */
  readonly answer?: (
    path: string
  ) => { readonly status: number; readonly body: string | AsyncIterable<string> } | undefined
  /** Redirects requests for a path. */
  readonly redirect?: Readonly<Record<string, string>>
  /** Never answers requests for this path. */
  readonly silent?: string
  readonly tokenError?: string
}

/** An issuer under the test's control: it signs everybody in, with the claims that the test chooses. */
export const openHostileIssuer = async () => {
  const [own, other] = await Promise.all([1, 2].map(() => generateKeyPair("RS256", { extractable: true })))
  const keys = [{ ...await exportJWK(own!.publicKey), kid: "own", alg: "RS256", use: "sig" }]
  const nonces = new Map<string, string>()
  const asked: Array<string> = []
  let hostility: Hostility = {}
  const person = { sub: "hostile-1", email: "nobody@clinic.example", email_verified: true as unknown }
  const server = createServer()
  const { close, url: issuer } = await listening(server)
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "ES256", "none"]
  }
  const sign = ({ claims, header }: Token) =>
    new SignJWT(claims).setProtectedHeader(header).sign(
      header.alg === "HS256" ? Buffer.from(clientSecret) : header.kid === "other" ? other!.privateKey : own!.privateKey
    )

  const tokens = async (form: URLSearchParams) => {
    const now = Math.floor(Date.now() / 1000)
    const token: Token = {
      header: { alg: "RS256", kid: "own" },
      claims: {
        iss: issuer,
        aud: "test-client",
        iat: now,
        exp: now + 300,
        nonce: nonces.get(form.get("code")!),
        ...person
      }
    }
    const idToken = await (hostility.idToken?.(token, sign) ?? sign(token))
    return { access_token: "canary-google-access-token", token_type: "Bearer", expires_in: 300, id_token: idToken }
  }

  server.on("request", async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, issuer)
    asked.push(pathname)
    if (hostility.silent === pathname) return
    const elsewhere = hostility.redirect?.[pathname]
    if (elsewhere !== undefined) return response.writeHead(307, { location: elsewhere }).end()
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))
    const own = hostility.answer?.(pathname)
    if (own !== undefined) {
      response.writeHead(own.status, { "content-type": "application/json" })
      return Readable.from(own.body).on("error", () => {}).pipe(response)
    }
    if (pathname === "/.well-known/openid-configuration") return json(hostility.discovery?.(document) ?? document)
    if (pathname === "/jwks") return json({ keys })
    if (pathname === "/token") {
      let body = ""
      for await (const chunk of request) body += chunk
      if (hostility.tokenError !== undefined) return json({ error: hostility.tokenError }, 400)
      return json(await tokens(new URLSearchParams(body)))
    }
    const code = `code-${nonces.size}`
    nonces.set(code, searchParams.get("nonce")!)
    const back = new URL(searchParams.get("redirect_uri")!)
    back.search = `${new URLSearchParams({ code, state: searchParams.get("state")! })}`
    return response.writeHead(302, { location: back.href }).end()
  })
  atEnd(close)
  return {
    issuer,
    environment: { GOOGLE_CLIENT_ID: "test-client", GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer },
    person,
    asked,
    is: (wanted: Hostility) => {
      hostility = wanted
      asked.length = 0
    },
    close
  }
}

const clientSecret = "test secret of the client at Google"
