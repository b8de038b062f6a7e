import { randomUUID } from "node:crypto"
import type pg from "pg"
import { type Call, hash } from "./Stated.ts"

/** Runs each function of the authorization server (migrations/023). Returns the ids of an app and its active grant. */
export const takeAppSteps = async (runtime: pg.Client, call: Call, veteranId: string) => {
  const [client, grantId] = [randomUUID(), randomUUID()]
  await runtime.query(
    `insert into oauth_clients (id, name, redirect_uris, scopes, webhook_url)
     values ($1, 'App', '{https://app.example/back}', '{patient/*.rs}', 'https://app.example/hook')`,
    [client]
  )
  const cookie = hash("cookie")
  const asked = async (name: string) => {
    await runtime.query(
      `insert into oauth_requests (hash, cookie_hash, client_id, redirect_uri, scope, code_challenge)
       values ($1, $2, $3, 'https://app.example/back', 'patient/*.rs offline_access', 'challenge')`,
      [hash(name), cookie, client]
    )
    return [hash(name), cookie]
  }
  const request = await asked("approved")
  await call("challenge_request", "$1, $2, $3, $4, 30, $5, 5", [...request, veteranId, hash("1234"), hash("address")])
  await call("forget_request_code", "$1", [hash("approved")])
  await call("challenge_from_network", "$1, $2, $3, $4, 30, $5, '400 days', $6, 5, $7, 15", [
    ...request,
    veteranId,
    hash("1234"),
    hash("network"),
    hash("address and network"),
    hash("address")
  ])
  await call("try_request_code", "$1, $2, $3, 600, 5", [...request, hash("4321")])
  await call("try_code_from_network", "$1, $2, $3, 600, 5, $4, 10", [...request, hash("1234"), hash("network")])
  await call("sweep_veteran_networks", "'1 hour', 10", [])
  await call("approve_request", "$1, $2, $3, null, '{}', 'patient/*.rs', true, 3600, $4, 60, 100, 5, $5", [
    ...request,
    grantId,
    hash("code"),
    veteranId
  ])
  await call("decided_request", "$1, $2, 60", request)
  await call("redeem_code", "$1, $2, 'https://app.example/back', 'challenge', 60, $3, $4", [
    hash("code"),
    client,
    hash("family"),
    hash("first")
  ])
  await call("rotate_refresh_token", "$1, $2, $3, $4", [hash("family"), hash("first"), hash("second"), client])
  const denied = await asked("denied")
  await call("vouch_for_request", "$1, $2, $3, $4, now()", [...denied, veteranId, hash("assertion")])
  await call("deny_request", "$1, $2", denied)
  return { client, grantId }
}
