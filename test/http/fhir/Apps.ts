import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import type pg from "pg"
import { newId } from "../../../src/services/platform/Ids.ts"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { bearer, type Call, call, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { resourceTexts, sync, type Texts } from "../../support/Sync.ts"

/** Apps that are connected by SQL, with tokens that the test signs. Tests of the authorization server are elsewhere. */

type Target = Pick<Service, "url">

export const fhir = "/api/fhir/R4"

/** Outside production, a service without OAUTH_JWT_SECRET verifies access tokens with this secret. */
export const oauthSecret = developmentSecret("OAUTH_JWT_SECRET")

export interface App {
  readonly clientId: string
  readonly grantId: string
  readonly scope: string
  readonly headers: { readonly authorization: string }
}

export interface Granted {
  readonly scope?: string
  /** The types of the grant; null means every type. */
  readonly types?: ReadonlyArray<string> | null
  readonly categories?: ReadonlyArray<string>
  /** Claims that replace the valid ones. */
  readonly claims?: Readonly<Record<string, string | number>>
}

export const signToken = (
  { url }: Target,
  claims: Readonly<Record<string, string | number>>,
  { secret = oauthSecret, typ = "at+jwt" } = {}
) => {
  const now = Math.floor(Date.now() / 1000)
  const all = { iss: `${url}/api/oauth`, aud: `${url}${fhir}`, jti: randomUUID(), iat: now, exp: now + 600, ...claims }
  return new SignJWT(all).setProtectedHeader({ alg: "HS256", typ }).sign(Buffer.from(secret))
}

/** Connects an app to a veteran, as the approval and the exchange of a code do. */
export const connectApp = async (
  service: Target,
  owner: pg.Client,
  veteran: { readonly id: string },
  { categories = [], claims = {}, scope = "patient/*.rs", types = null }: Granted = {}
): Promise<App> => {
  const [clientId, grantId] = [newId(), newId()]
  await owner.query(
    `insert into oauth_clients (id, name, redirect_uris, scopes) values ($1, 'App', '{https://app.example/cb}', '{patient/*.rs}')`,
    [clientId]
  )
  await owner.query(
    `insert into consent_grants (veteran_id, id, client_id, scope, resource_types, sensitive_categories, include_self_reported,
       include_documents, purpose, expires_at)
     values ($1, $2, $3, $4, $5, $6, false, false, 'An app that I connected', now() + interval '1 hour')`,
    [veteran.id, grantId, clientId, scope, types, categories]
  )
  const token = await signToken(service, { sub: veteran.id, client_id: clientId, gid: grantId, scope, ...claims })
  return { clientId, grantId, scope, headers: bearer(token) }
}

export const get = (service: Target, app: Pick<App, "headers">, path: string, headers: Call["headers"] = {}) =>
  call(service, "GET", `${fhir}${path}`, { headers: { ...app.headers, ...headers } })

/** Returns the exact texts of the resources that a bundle marks as matches. */
export const textsOf = (bundle: string): ReadonlyArray<string> =>
  resourceTexts(bundle).flatMap(({ end, text }) =>
    bundle.startsWith(",\"search\":{\"mode\":\"match\"}}", end) ? [text] : []
  )

/** Follows `next` links from page to page. */
export const pages = async (service: Target, app: App, path: string) => {
  const answers = []
  for (let next: string | undefined = `${service.url}${fhir}${path}`; next !== undefined;) {
    const answer = await get(service, app, next.slice(`${service.url}${fhir}`.length))
    if (answer.status !== 200) throw new Error(answer.text)
    answers.push(answer)
    next = answer.json.link.find(({ relation }: any) => relation === "next")?.url
  }
  return answers
}

/** Connects an app to a new veteran with a record. */
export const syncAndConnect = async (service: Target, owner: pg.Client, texts: Texts, granted: Granted = {}) => {
  const veteran = await signInVeteran(service)
  await sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
  return { veteran, app: await connectApp(service, owner, veteran, granted) }
}

export const observation = (id: string, members: object = {}) =>
  JSON.stringify({ resourceType: "Observation", id, status: "final", code: { text: "x" }, ...members })

const categories = "http://terminology.hl7.org/CodeSystem/observation-category"

export const vital = { category: [{ coding: [{ system: categories, code: "vital-signs" }] }] }

/** Returns the ids of the resources that a bundle marks as matches. */
export const idsOf = ({ json }: { readonly json: any }): ReadonlyArray<string> =>
  (json.entry ?? []).filter(({ search }: any) => search.mode === "match").map((entry: any) => entry.resource.id)
