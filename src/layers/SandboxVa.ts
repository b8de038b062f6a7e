import { Effect, Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { fhirJson, outcomeText, searchPage } from "../client/SearchPage.ts"
import { sandboxPage, sandboxPageHeaders } from "../demo/SandboxPage.ts"
import { sandboxFolder, sandboxPeople, type SandboxPerson } from "../demo/SandboxPeople.ts"
import { SandboxSignIn } from "../demo/SandboxSignIn.ts"
import { listenHere } from "../services/platform/LoopbackServer.ts"
import { Settings } from "../services/platform/Settings.ts"
import type { VaSettings } from "../services/platform/VaSettings.ts"

/** Plays the VA for development: sign-in with three people, and their records by FHIR. It has the VA's quirks. */
export const SandboxVa = Layer.effectDiscard(Effect.gen(function*() {
  const { answeredHosts: hosts, sandboxVaLimit: limit, sandboxVaPort: port, va, veteranApp } = yield* Settings
  if (va === undefined || port === undefined) return
  const signIn = yield* Effect.promise(() => SandboxSignIn.open(va))
  const answer = sandboxVa({ va, signIn, people: sandboxPeople, redirectUri: `${veteranApp.url}/`, limit })
  const failed = yield* listenHere(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
    { hosts, port, variable: "SANDBOX_VA_PORT", what: "the sandbox VA does not run" }
  )
  if (failed !== undefined) yield* Effect.logWarning(failed)
}))

/** What a sandbox VA knows. Tests add other people. */
export interface Sandbox {
  readonly va: VaSettings
  readonly signIn: SandboxSignIn
  readonly people: ReadonlyArray<SandboxPerson>
  readonly redirectUri: string
  /** Requests to FHIR in a minute, by all people together; 0 for no limit. */
  readonly limit: number
}

type Send = (status: number, headers: Readonly<Record<string, string>>, body?: string) => void

/** Returns what answers the requests to a sandbox VA. */
export const sandboxVa = (sandbox: Sandbox) => {
  const { fhirBase } = sandbox.va
  const overLimit = makeLimit(sandbox.limit)
  return async (request: IncomingMessage, response: ServerResponse) => {
    const send: Send = (status, headers, body = "") => {
      response.writeHead(status, {
        "cache-control": "no-store",
        "content-length": Buffer.byteLength(body),
        "x-content-type-options": "nosniff",
        ...headers
      })
      response.end(request.method === "HEAD" ? undefined : body)
    }
    const url = new URL(request.url ?? "/", fhirBase)
    const path = url.origin + url.pathname
    const { authorizationUrl, keys, tokenUrl } = sandbox.va
    const isFhir = path.startsWith(`${fhirBase}/`)
    // The VA allows any page to call these, but not to load its keys.
    const cors = isFhir || path === tokenUrl ? corsOf(request) : {}
    const json = (status: number, body: unknown) =>
      send(status, { "content-type": "application/json", ...cors }, JSON.stringify(body))
    if (request.method === "OPTIONS") return send(204, cors)
    if (path === tokenUrl && request.method === "POST") {
      const form = await formOf(request)
      return form === undefined ? send(413, { connection: "close" }) : await token(sandbox, form, json)
    }
    if (request.method !== "GET") return send(405, { allow: "GET", connection: "close" })
    if (path === keys) return json(200, sandbox.signIn.keys)
    if (path === authorizationUrl) return authorize(sandbox, url.searchParams, send)
    if (!isFhir) return json(404, { message: "no Route matched with those values" })
    if (overLimit()) return json(429, { message: "API rate limit exceeded" })
    const [status, body] = await search(sandbox, path.slice(fhirBase.length + 1), url.searchParams, request)
    send(status, { "content-type": fhirJson, ...cors }, body)
  }
}

const corsOf = ({ headers, method }: IncomingMessage) => ({
  "access-control-allow-origin": headers.origin ?? "*",
  vary: "origin",
  ...(method === "OPTIONS"
    ? {
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
      "access-control-max-age": "600"
    }
    : {})
})

/** A wrong client or redirect is told here, because nobody may be sent to an address that is not registered. */
const authorize = ({ people, redirectUri, signIn, va }: Sandbox, query: URLSearchParams, send: Send) => {
  const asked = (name: string) => query.get(name) ?? ""
  if (asked("client_id") !== va.clientId || asked("redirect_uri") !== redirectUri) {
    return send(400, { "content-type": "text/plain" }, `No app has this client_id with this redirect_uri.\n`)
  }
  const state = asked("state")
  const back = (parameters: Record<string, string>) =>
    `${redirectUri}?${new URLSearchParams({ ...parameters, ...(state === "" ? {} : { state }) })}`
  const [codeChallenge, scope] = [asked("code_challenge"), asked("scope")]
  const isWhole = asked("response_type") === "code" && asked("code_challenge_method") === "S256" &&
    /^[\w-]{43}$/.test(codeChallenge) && state !== ""
  if (!isWhole) return send(302, { location: back({ error: "invalid_request" }) })
  if (scope.includes("*")) return send(302, { location: back({ error: "invalid_scope" }) })
  const nonce = query.get("nonce") ?? undefined
  send(
    200,
    sandboxPageHeaders,
    sandboxPage({
      scope,
      refusal: back({ error: "access_denied" }),
      choices: people.map((person) => ({
        name: person.name,
        story: person.story,
        address: back({ code: signIn.code(person, { redirectUri, scope, state, nonce, codeChallenge }) })
      }))
    })
  )
}

const token = async (
  { signIn, va }: Sandbox,
  form: URLSearchParams,
  json: (status: number, body: unknown) => void
) => {
  const sent = (name: string) => form.get(name) ?? ""
  if (sent("client_id") !== va.clientId) return json(401, { error: "invalid_client" })
  const grant = sent("grant_type")
  if (grant !== "authorization_code" && grant !== "refresh_token") return json(400, { error: "unsupported_grant_type" })
  const tokens = grant === "refresh_token"
    ? await signIn.renew(sent("refresh_token"))
    : await signIn.redeem(sent("code"), sent("code_verifier"), sent("redirect_uri"))
  return tokens === undefined ? json(400, { error: "invalid_grant" }) : json(200, tokens)
}

/** A page has at most 100 resources, and the VA says nothing when it cuts a larger `_count`. */
const largestPage = 100

const search = async (
  { signIn, va }: Sandbox,
  resourceType: string,
  query: URLSearchParams,
  { headers }: IncomingMessage
): Promise<readonly [number, string]> => {
  const person = signIn.personOf(/^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "")
  if (person === undefined) return [401, outcomeText("login", "Expected a bearer token")]
  if (!/^[A-Z][A-Za-z]{1,63}$/.test(resourceType)) return [404, outcomeText("not-found", "Unknown address")]
  if (query.get("patient") !== person.patientId) return [403, outcomeText("forbidden", "Another patient")]
  const number = (name: string, otherwise: number) => {
    const value = Number(query.get(name) ?? otherwise)
    return Number.isInteger(value) && value >= 1 && value <= 100_000 ? value : undefined
  }
  const [count, page] = [number("_count", 30), number("page", 1)]
  if (count === undefined || page === undefined) return [400, outcomeText("invalid", "Expected _count and page from 1")]
  const body = await searchPage({
    folder: sandboxFolder,
    patient: person.record,
    id: person.patientId,
    baseUrl: va.fhirBase,
    resourceType,
    count: Math.min(count, largestPage),
    page
  })
  if (body === "unknown") return [404, outcomeText("not-found", "Unknown patient")]
  return body === "missing" ? [503, outcomeText("transient", `${resourceType} cannot be loaded`)] : [200, body]
}

/** Counts requests in each minute of the clock. */
const makeLimit = (perMinute: number) => {
  let [minute, used] = [0, 0]
  return () => {
    if (perMinute === 0) return false
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute) [minute, used] = [now, 0]
    return ++used > perMinute
  }
}

/** Limit of a form in bytes. */
const largestForm = 16_384

/** Returns the form, or undefined if it is too large. Nothing is read beyond the limit. */
const formOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestForm) return
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
