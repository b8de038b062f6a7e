import { createHash, randomBytes, randomUUID } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { newId } from "../../../src/services/platform/Ids.ts"
import { type Answer, asAdmin, call, setCookieOf } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { mailsOf } from "../link/Links.ts"

/** Helpers that play two roles: the app that requests access, and the veteran's browser that submits the forms. */

type Target = Pick<Service, "url">

export interface App {
  readonly id: string
  readonly redirectUri: string
}

/** Registers an app by SQL as the owner, because the operator's routes are tested elsewhere. */
export const registerApp = async (
  owner: pg.Client,
  { redirectUri = "https://heart.example/cb", scopes = ["launch/patient", "offline_access", "patient/*.rs"], ...app }: {
    readonly name?: string
    readonly redirectUri?: string
    readonly scopes?: ReadonlyArray<string>
    readonly privacyUrl?: string
  } = {}
): Promise<App> => {
  const id = newId()
  await owner.query(
    "insert into oauth_clients (id, name, redirect_uris, scopes, privacy_url) values ($1, $2, $3, $4, $5)",
    [id, app.name ?? "Heart Diary", [redirectUri], scopes, app.privacyUrl ?? null]
  )
  return { id, redirectUri }
}

/** Registers a veteran with a fresh address. */
export const registerVeteran = async (service: Target, email = `eagle-${randomUUID()}@example.org`) => {
  const vaPatientId = `icn-${randomUUID()}`
  const { json } = await call(service, "POST", "/api/admin/veterans", {
    headers: asAdmin,
    body: { vaPatientId, callSign: "Eagle", email }
  })
  return { id: json.id as string, vaPatientId, email }
}

export const verifier = randomBytes(32).toString("base64url")

export const parametersOf = (app: App, changes: Readonly<Record<string, string>> = {}) => ({
  response_type: "code",
  client_id: app.id,
  redirect_uri: app.redirectUri,
  scope: "launch/patient patient/*.rs offline_access",
  state: "a state, with & marks",
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
  ...changes
})

export const ask = (service: Target, parameters: Readonly<Record<string, string>> | string, cookie = "") =>
  call(service, "GET", `/api/oauth/authorize?${new URLSearchParams(parameters)}`, { headers: { cookie } })

const hidden = (text: string) => /name="request" value="([^"]*)"/.exec(text)?.[1] ?? ""

export interface Browser {
  readonly cookie: string
  readonly request: string
}

export const browserOf = (answer: Answer): Browser => ({ cookie: setCookieOf(answer), request: hidden(answer.text) })

/** Opens the authorization page in a browser. */
export const begin = async (service: Target, app: App, changes: Readonly<Record<string, string>> = {}) => {
  const answer = await ask(service, parametersOf(app, changes))
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  return browserOf(answer)
}

export const form = "application/x-www-form-urlencoded"

const pagePath = "/api/oauth/authorize/page"

/** Submits a page's form, and returns the answer itself, which is a redirect. */
export const post = (
  service: Target,
  step: "email" | "code" | "decision",
  { cookie, request }: Browser,
  fields: ReadonlyArray<readonly [string, string]> | Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
) =>
  call(service, "POST", `/api/oauth/authorize/${step}`, {
    headers: { cookie, "content-type": form, origin: "null", ...headers },
    body: `${new URLSearchParams([["request", request], ...(Array.isArray(fields) ? fields : Object.entries(fields))])}`
  })

/** Submits a page's form, and follows the redirect to the next page, as a browser does. */
export const submit = async (...[service, step, browser, fields, headers = {}]: Parameters<typeof post>) => {
  const answer = await post(service, step, browser, fields, headers)
  const location = answer.headers.get("location") ?? ""
  if (answer.status !== 303 || !location.startsWith(pagePath)) return answer
  const cookie = [browser.cookie, setCookieOf(answer)].filter((one) => one !== "").join("; ")
  return call(service, "GET", location, { headers: { ...headers, cookie } })
}

export const codeMails = async (service: Pick<Service, "directory">, email: string) =>
  (await mailsOf(service)).filter(({ headers }) =>
    headers.get("to")?.includes(email) === true && headers.get("subject") === "Your one-time code"
  )

/** Waits for `count` mails with a code, and returns the last code. */
export const codeFor = async (service: Pick<Service, "directory">, email: string, count = 1) => {
  const mails = await until(`a code comes to ${email}`, async () => {
    const mails = await codeMails(service, email)
    return mails.length >= count ? mails : undefined
  })
  return /\b(\d{4}) (\d{4})\b/.exec(mails.at(-1)!.text)!.slice(1).join("")
}

/** Enters the e-mail address and the mailed code, and returns the consent page that follows. */
export const proved = async (service: Pick<Service, "url" | "directory">, app: App, email: string, scope?: string) => {
  const browser = await begin(service, app, scope === undefined ? {} : { scope })
  // An earlier request's code may be in the mailbox, and would be wrong here.
  const earlier = (await codeMails(service, email)).length
  await submit(service, "email", browser, { email })
  const code = await codeFor(service, email, earlier + 1)
  const page = await submit(service, "code", browser, { code })
  return { browser, page }
}

/** Returns the types or categories of a consent page's boxes, each with whether it is ticked. */
export const boxes = (text: string, name: "type" | "category") =>
  Array.from(
    text.matchAll(new RegExp(`<input type="checkbox" name="${name}" value="([^"]*)"( checked)?>`, "g")),
    ([, value, checked]) => [value!, checked !== undefined] as const
  )

/** The fields by which the consent page is approved, for 90 days and without some types. */
export const approval = (page: string, without: ReadonlyArray<string> = []) =>
  [
    ["decision", "approve"],
    ["days", "90"],
    ...boxes(page, "type").filter(([type]) => !without.includes(type)).map(([type]) => ["type", type] as const)
  ] as const

/** Asserts that a page says that the request has ended. */
export const over = ({ status, text }: Pick<Answer, "status" | "text">) => {
  assert.strictEqual(status, 200)
  assert.include(text, "<h1>This request has ended</h1>")
}

/** The parameters that the app's redirect address receives. */
export const toldTo = ({ redirectUri }: App, { headers, status }: Answer) => {
  const location = headers.get("location") ?? ""
  if (status !== 303 || !location.startsWith(`${redirectUri}?`)) throw new Error(`${status} ${location}`)
  return Object.fromEntries(new URLSearchParams(location.slice(redirectUri.length + 1)))
}
