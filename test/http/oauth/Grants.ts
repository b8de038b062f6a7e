import { createHash, createSecretKey, hkdfSync, randomBytes } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import { VeteranId } from "../../../src/domain/Id.ts"
import { newSecret } from "../../../src/services/platform/Crypto.ts"
import { hashUnder } from "../../../src/services/platform/Envelope.ts"
import { newIdIn, newSecretIn, slotOf } from "../../../src/services/platform/Slot.ts"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { type Answer, asAdmin, call } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"

type Target = Pick<Service, "url">

export const callback = "https://app.example.org/callback"

export interface Client {
  readonly clientId: string
  readonly clientSecret: string | null
}

export const registerClient = async (service: Target, changes: Record<string, unknown> = {}): Promise<Client> => {
  const { json, status, text } = await call(service, "POST", "/api/admin/oauth-clients", {
    headers: asAdmin,
    body: {
      name: "Blue Sky",
      redirectUris: [callback],
      scopes: ["launch/patient", "offline_access", "patient/*.rs", "record:read"],
      ...changes
    }
  })
  if (status !== 201) throw new Error(text)
  return json
}

export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

const codeKey = (appSecret: string) =>
  createSecretKey(Buffer.from(hkdfSync("sha256", appSecret, "", "vrss/1/oauth-authorization-code", 32)))

export interface GivenCode {
  readonly code: string
  readonly verifier: string
  readonly grantId: string
}

interface Approval {
  readonly scope?: string
  readonly types?: ReadonlyArray<string> | null
  readonly redirectUri?: string
  readonly codeSeconds?: number
  /** Whether the code has the form of the time before there were slots. */
  readonly oldForm?: boolean
  /** The service's APP_SECRET, if it differs from the one for development. */
  readonly appSecret?: string
}

/** Returns a code that the app may redeem. Takes the same steps as the consent pages after the veteran's approval. */
export const giveCode = async (
  runtime: pg.Client,
  { clientId }: Client,
  veteran: { readonly id: string },
  {
    appSecret = developmentSecret("APP_SECRET"),
    codeSeconds = 60,
    oldForm = false,
    redirectUri = callback,
    scope = "launch/patient patient/*.rs offline_access",
    types = null
  }: Approval = {}
): Promise<GivenCode> => {
  const [request, cookie] = [randomBytes(32), randomBytes(32)]
  const slot = slotOf(VeteranId.make(veteran.id))
  const [code, verifier] = [oldForm ? newSecret() : newSecretIn(slot), newSecret()]
  const grantId = newIdIn(slot)
  await runtime.query(
    `insert into oauth_requests (hash, cookie_hash, client_id, redirect_uri, scope, code_challenge, veteran_id, proved_at)
     values ($1, $2, $3, $4, $5, $6, $7, now())`,
    [request, cookie, clientId, redirectUri, scope, challengeOf(verifier), veteran.id]
  )
  const { rows } = await runtime.query(
    "select status from app.approve_request($1, $2, $3, $4, '{}', $5, $6, 7776000, $7, $8, 100, 50, $9)",
    [request, cookie, grantId, types, scope, scope.includes("offline"), hashUnder(codeKey(appSecret), code),
      codeSeconds, veteran.id]
  )
  if (rows[0].status !== "granted") throw new Error(rows[0].status)
  return { code, verifier, grantId }
}

/** Sends a form. A list sends its parameters in order, repeated names included. */
export const post = (
  service: Target,
  path: string,
  form: Record<string, string> | ReadonlyArray<readonly [string, string]> | string,
  headers: Record<string, string> = {}
): Promise<Answer> =>
  call(service, "POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form as Record<string, string>).toString()
  })

export const shown = ({ clientId, clientSecret }: Client) => ({
  client_id: clientId,
  ...(clientSecret === null ? {} : { client_secret: clientSecret })
})

/** Encodes credentials as RFC 6749, 2.3.1, requires: each part as in a form, then joined. */
export const basic = (id: string, secret: string) => {
  const encoded = (text: string) => new URLSearchParams({ x: text }).toString().slice(2)
  return { authorization: `Basic ${Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString("base64")}` }
}

export const codeForm = (client: Client, { code, verifier }: GivenCode) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: callback,
  code_verifier: verifier,
  ...shown(client)
})

export const redeem = (service: Target, client: Client, given: GivenCode) =>
  post(service, "/api/oauth/token", codeForm(client, given))

export const refresh = (
  service: Target,
  client: Client,
  refreshToken: string,
  besides: Record<string, string> = {}
) =>
  post(service, "/api/oauth/token", {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    ...shown(client),
    ...besides
  })

/** Whether introspection calls a confidential client's access token active. */
export const isActive = async (service: Target, client: Client, token: string): Promise<boolean> => {
  const { json } = await post(service, "/api/oauth/introspect", { token, ...shown(client) })
  return json.active
}

/** The kinds of a veteran's proof rows, the oldest first. */
export const proofsOf = async (owner: pg.Client, veteranId: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await owner.query("select kind from proofs where veteran_id = $1 order by seq", [veteranId])
  return rows.map(({ kind }) => kind)
}

/** Records what enters the outbox, because a sent mail leaves it. */
export const noteMails = async (owner: pg.Client) => {
  await owner.query(`
    create table public.mails_noted (kind text, subject_id uuid);
    create function public.note_mail() returns trigger language plpgsql security definer as $$
    begin insert into public.mails_noted values (new.kind, new.subject_id); return null; end $$;
    create trigger mails_are_noted after insert on outbox for each row execute function public.note_mail()`)
  return async (grantId: string): Promise<ReadonlyArray<string>> => {
    const { rows } = await owner.query("select kind from mails_noted where subject_id = $1 order by kind", [grantId])
    return rows.map(({ kind }) => kind)
  }
}

/** Asserts an error in the form of RFC 6749, 5.2. */
export const refused = ({ headers, json, status }: Answer, expected: number, error: string) => {
  assert.deepStrictEqual([status, json.error], [expected, error])
  assert.deepStrictEqual(Object.keys(json), ["error", "error_description"])
  assert.match(json.error_description, /^['A-Z].*\.$/)
  assert.strictEqual(headers.get("content-type"), "application/json")
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.strictEqual(headers.get("www-authenticate"), expected === 401 ? "Basic realm=\"oauth\"" : null)
}
