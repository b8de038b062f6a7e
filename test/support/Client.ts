import { randomBytes, randomUUID } from "node:crypto"
import type pg from "pg"
import { adminSecret, drainerSecret, exchangeSecret, type Service } from "./Service.ts"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body, or undefined if it is not JSON. */
  readonly json: any
}

const ofRequestOrConnection = ["x-request-id", "date", "connection", "keep-alive"]

/**
 * The headers by which two answers may be compared. The others differ by the request, or by the connection, whose last
 * answer says that it closes (RFC 9110, 7.6.1).
 */
export const ownHeaders = ({ headers }: Pick<Answer, "headers">) =>
  [...headers].filter(([name]) => !ofRequestOrConnection.includes(name))

export interface Call {
  readonly headers?: Record<string, string>
  /** A string or bytes are sent unchanged, anything else as JSON. The type is JSON unless `headers` has another. */
  readonly body?: unknown
}

/** Calls the service as a client does, without the service's own code. */
export const call = async (
  service: Pick<Service, "url">,
  method: string,
  path: string,
  { body, headers = {} }: Call = {}
) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      "x-forwarded-for": randomAddress(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: encode(body) })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) } satisfies Answer
}

const encode = (body: unknown) =>
  typeof body === "string" || body instanceof Uint8Array
    ? body as string | Uint8Array<ArrayBuffer>
    : JSON.stringify(body)

/** Returns the JSON of a text, or undefined. */
export const parse = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const randomAddress = () => `10.${[...randomBytes(3)].join(".")}`

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const asAdmin = { "x-internal-admin-secret": adminSecret }

export const asDrainer = { "x-proof-drainer-secret": drainerSecret }

export const withExchangeSecret = { "x-veteran-session-exchange": exchangeSecret }

export interface SignedIn {
  readonly id: string
  readonly token: string
  readonly headers: { readonly authorization: string }
}

/** Registers veterans by SQL as the owner, because many registrations over HTTP would take longer than the test. */
export const registerVeterans = async (
  owner: pg.Client,
  count: number
): Promise<ReadonlyArray<{ id: string; vaPatientId: string }>> => {
  const veterans = Array.from({ length: count }, () => ({ id: randomUUID(), vaPatientId: `icn-${randomUUID()}` }))
  await owner.query(
    "insert into veterans (id, va_patient_id, call_sign, email) select id, icn, 'Eagle', 'eagle@example.org' from unnest($1::uuid[], $2::text[]) as v (id, icn)",
    [veterans.map(({ id }) => id), veterans.map(({ vaPatientId }) => vaPatientId)]
  )
  return veterans
}

export const signIn = async (
  service: Pick<Service, "url">,
  { id, vaPatientId }: { readonly id: string; readonly vaPatientId: string }
): Promise<SignedIn> => {
  const session = await call(service, "POST", "/api/auth/veteran/session", {
    headers: withExchangeSecret,
    body: { vaPatientId }
  })
  if (session.status !== 200) throw new Error(session.text)
  return { id, token: session.json.accessToken, headers: bearer(session.json.accessToken) }
}

/** Registers a veteran and signs in. */
export const signInVeteran = async (service: Pick<Service, "url">) => {
  const vaPatientId = `icn-${randomUUID()}`
  const registered = await call(service, "POST", "/api/admin/veterans", {
    headers: asAdmin,
    body: { vaPatientId, callSign: "Eagle", email: "eagle@example.org" }
  })
  return { ...await signIn(service, { id: registered.json.id, vaPatientId }), vaPatientId }
}

export const providerPassword = "correct horse battery staple"

/** Registers a provider, who has `providerPassword`. */
export const registerProvider = async (service: Pick<Service, "url">) => {
  const email = `provider-${randomUUID()}@clinic.example`
  const registered = await call(service, "POST", "/api/admin/providers", {
    headers: asAdmin,
    body: { email, password: providerPassword, displayName: "Dr. Ada Gray", organization: "Gray Clinic" }
  })
  return { id: registered.json.id as string, email }
}

/** Registers a provider and signs in. */
export const signInProvider = async (service: Pick<Service, "url">): Promise<SignedIn & { readonly email: string }> => {
  const { email, id } = await registerProvider(service)
  const session = await call(service, "POST", "/api/provider/login", { body: { email, password: providerPassword } })
  const token = session.json.accessToken
  return { id, email, token, headers: bearer(token) }
}

/** The default origin of the portal's pages. */
export const portalOrigin = "http://localhost:8081"

export const portalCookie = "__Host-vrss-provider"

/** Returns the name and value of the cookie that an answer sets, as a browser sends them back. */
export const setCookieOf = ({ headers }: Answer) => /^[^;]*/.exec(headers.getSetCookie()[0] ?? "")![0]

/** Signs in as a page of the portal does. `resume` holds the headers that the page sends after a reload. */
export const signInAtPortal = async (service: Pick<Service, "url">, email: string, origin = portalOrigin) => {
  const answer = await call(service, "POST", "/api/provider/login", {
    headers: { origin },
    body: { email, password: providerPassword }
  })
  const token: string = answer.json.accessToken
  const cookie = setCookieOf(answer)
  return { answer, token, cookie, headers: { ...bearer(token), origin, cookie }, resume: { origin, cookie } }
}

/** Asks to grant everything except sensitive categories for an hour, or what `changes` says instead. */
export const askGrant = (
  service: Pick<Service, "url">,
  veteran: Pick<SignedIn, "headers">,
  provider: { readonly id: string },
  changes: Record<string, unknown> = {}
) =>
  call(service, "POST", "/api/veteran/me/consent-grants", {
    headers: veteran.headers,
    body: {
      providerId: provider.id,
      resourceTypes: null,
      sensitiveCategories: [],
      includeSelfReported: true,
      includeDocuments: true,
      purpose: "treatment",
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      ...changes
    }
  })

/** Returns the grant that `askGrant` asks for. */
export const giveGrant = async (
  service: Pick<Service, "url">,
  veteran: SignedIn,
  provider: { readonly id: string },
  changes?: Record<string, unknown>
) => (await askGrant(service, veteran, provider, changes)).json

/** The status and the code of an answer. */
export const told = ({ json, status }: Answer) => [status, json?.error]
