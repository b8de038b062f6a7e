import { randomBytes } from "node:crypto"
import type pg from "pg"
import { newId } from "../../src/services/platform/Ids.ts"

// These functions make apps and their grants by SQL, as the owner. The authorization server calls the same SQL
// functions once the veteran has used its pages.

export interface RegisteredApp {
  readonly id: string
  readonly name: string
}

export const registerApp = async (
  owner: pg.Client,
  { name = "Blue Sky", webhookUrl }: { readonly name?: string; readonly webhookUrl?: string } = {}
): Promise<RegisteredApp> => {
  const id = newId()
  await owner.query(
    `insert into oauth_clients (id, name, redirect_uris, scopes, webhook_url)
     values ($1, $2, '{https://app.example/cb}', '{patient/*.rs}', $3)`,
    [id, name, webhookUrl]
  )
  return { id, name }
}

/** Stores an authorization request whose veteran has already proved their identity. */
export const askAsApp = async (owner: pg.Client, veteran: { readonly id: string }, { id }: RegisteredApp) => {
  const [request, cookie] = [randomBytes(32), randomBytes(32)]
  await owner.query(
    `insert into oauth_requests (hash, cookie_hash, client_id, redirect_uri, scope, code_challenge, veteran_id, proved_at)
     values ($1, $2, $3, 'https://app.example/cb', 'patient/*.rs offline_access', 'c', $4, now())`,
    [request, cookie, id, veteran.id]
  )
  return { request, cookie }
}

export interface ConnectedApp {
  readonly grantId: string
  readonly code: Buffer
  readonly family: Buffer
}

/** The veteran approves for an hour, and the app redeems its code unless `redeem` is false. */
export const connectApp = async (
  owner: pg.Client,
  veteran: { readonly id: string },
  app: RegisteredApp,
  { redeem = true, types = null }: { readonly redeem?: boolean; readonly types?: ReadonlyArray<string> | null } = {}
): Promise<ConnectedApp> => {
  const { cookie, request } = await askAsApp(owner, veteran, app)
  const grantId = newId()
  const [code, family] = [randomBytes(32), randomBytes(32)]
  const approved = await owner.query(
    `select status from app.approve_request($1, $2, $3, $4, '{}', 'patient/*.rs offline_access', true, 3600, $5, 60, 100, 5, $6)`,
    [request, cookie, grantId, types, code, veteran.id]
  )
  if (approved.rows[0].status !== "granted") throw new Error(approved.rows[0].status)
  if (redeem && await redeemAgain(owner, app, { code, family }) !== "redeemed") throw new Error("not redeemed")
  return { grantId, code, family }
}

export const redeemAgain = async (
  owner: pg.Client,
  { id }: RegisteredApp,
  { code, family }: Pick<ConnectedApp, "code" | "family">
): Promise<string> => {
  const { rows } = await owner.query(
    "select status from app.redeem_code($1, $2, 'https://app.example/cb', 'c', 60, $3, $3)",
    [code, id, family]
  )
  return rows[0].status
}

/** Refreshes with `token`, by default with the first refresh token of the grant. */
export const refreshAsApp = async (
  owner: pg.Client,
  { id }: RegisteredApp,
  { family }: ConnectedApp,
  token = family
): Promise<string> => {
  const { rows } = await owner.query("select status from app.rotate_refresh_token($1, $2, $3, $4)", [
    family,
    token,
    randomBytes(32),
    id
  ])
  return rows[0].status
}

/** Records that the app read this many resources of each type, as the service does when it answers the app. */
export const readAsApp = async (
  owner: pg.Client,
  veteran: { readonly id: string },
  { grantId }: ConnectedApp,
  types: Readonly<Record<string, number>>
) => {
  await owner.query("begin")
  await owner.query(
    "select set_config('app.actor', 'app', true), set_config('app.veteran_id', $1, true), set_config('app.grant_id', $2, true)",
    [veteran.id, grantId]
  )
  await owner.query("select app.prove_app_reading($1)", [types])
  await owner.query("commit")
}
