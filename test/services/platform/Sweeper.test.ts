import { assert, describe, test } from "vitest"
import type { SweptRows } from "../../../src/domain/Retention.ts"
import { createLink, listLinks, step, verified, view } from "../../http/link/Links.ts"
import { listPatients, revoke } from "../../http/Sharing.ts"
import { connectApp, redeemAgain, refreshAsApp, registerApp } from "../../support/Apps.ts"
import { asDrainer, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { openSweeping } from "./Sweeping.ts"

const { age, count, processOf, runtime, service, superuser, sweep, sweeper } = await openSweeping()

describe("Expired data is refused on reading and deleted later:", () => {
  test("consent grants", async () => {
    const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
    const [old, late, kept] = [
      await giveGrant(service, veteran, provider),
      await giveGrant(service, veteran, provider),
      await giveGrant(service, veteran, provider)
    ]
    await age("consent_grants", "expires_at", "61 minutes", `id = '${old.id}'`)
    await age("consent_grants", "expires_at", "59 minutes", `id = '${late.id}'`)
    const read = async () => {
      const grants = await call(service, "GET", "/api/veteran/me/consent-grants", { headers: veteran.headers })
      const patients = await listPatients(service, provider)
      const revoked = await call(service, "POST", `/api/veteran/me/consent-grants/${old.id}/revoke`, {
        headers: veteran.headers
      })
      return [
        grants.json.items.map(({ status }: any) => status),
        patients.json.items.map(({ grant }: any) => grant.id),
        revoked.status
      ]
    }
    const expected = [["active", "expired", "expired"], [kept.id], 409]
    assert.deepStrictEqual(await read(), expected)
    assert.deepStrictEqual(await sweep("grants"), { grants: 1 })
    assert.deepStrictEqual(await read(), expected)
    assert.strictEqual(await count("consent_grants", "status = 'expired'"), 1)
    assert.deepStrictEqual(await sweep("grants"), { grants: 0 })
  })

  test("secure links, codes and view sessions", async () => {
    const veteran = await signInVeteran(service)
    const [old, kept] = [await createLink(service, veteran), await createLink(service, veteran)]
    const [session, keptSession] = [await verified(service, old), await verified(service, kept)]
    await age("secure_links", "expires_at", "61 minutes", `id = '${old.id}'`)
    const ofOld = `link_id = '${old.id}'`
    for (const table of ["secure_link_otps", "secure_link_view_sessions"]) {
      await age(table, "created_at", "25 hours", ofOld)
    }
    const read = async () => [
      (await listLinks(service, veteran)).map(({ status }: any) => status),
      (await step(service, "open", { token: old.token })).json.error,
      (await view(service, session)).error
    ]
    const before = await read()
    assert.deepStrictEqual(before.slice(0, 2), [["active", "expired"], "link_expired"])
    assert.deepStrictEqual(await sweep("links", "codes", "view sessions"), { links: 1, codes: 1, "view sessions": 1 })
    assert.deepStrictEqual((await read()).slice(0, 2), before.slice(0, 2))
    // The session's hash is deleted, so the session is refused like one that never existed.
    assert.strictEqual((await view(service, session)).error, "view_session_expired")
    assert.strictEqual(await count("secure_links", "status = 'expired'"), 1)
    assert.strictEqual((await view(service, keptSession)).status, 200)
  })

  test("providers' sessions", async () => {
    const [old, kept] = [await signInProvider(service), await signInProvider(service)]
    const statusOf = async ({ headers }: typeof old) =>
      (await call(service, "GET", "/api/provider/me", { headers })).status
    await age("provider_sessions", "expires_at", "31 days", `provider_id = '${old.id}'`)
    assert.strictEqual(await statusOf(old), 401)
    assert.deepStrictEqual(await sweep("provider sessions"), { "provider sessions": 1 })
    assert.deepStrictEqual([await statusOf(old), await statusOf(kept)], [401, 200])
  })
})

test("A link by which a password is chosen is forgotten an hour after its end", async () => {
  const { email } = await signInProvider(service)
  for (const [ago, left] of [["2 hours", 0], ["119 minutes", 1]] as const) {
    await call(service, "POST", "/api/provider/password/forgot", { body: { email } })
    await superuser.query(
      `update provider_password_links set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`,
      [ago]
    )
    assert.deepStrictEqual(await sweep("password links"), { "password links": 1 - left })
    assert.strictEqual(await count("provider_password_links", "true"), left)
  }
})

describe("The data of apps is deleted:", () => {
  const connected = async () => {
    const veteran = await signInVeteran(service)
    const app = await registerApp(superuser)
    const [old, kept] = [await connectApp(superuser, veteran, app), await connectApp(superuser, veteran, app)]
    return { veteran, app, old, kept }
  }

  test("authorization requests, an hour after they were made", async () => {
    await connected()
    const requests = await count("oauth_requests")
    await age("oauth_requests", "created_at", "59 minutes")
    await age("oauth_requests", "created_at", "61 minutes", "hash = (select hash from oauth_requests limit 1)")
    assert.deepStrictEqual(await sweep("app requests"), { "app requests": 1 })
    assert.strictEqual(await count("oauth_requests"), requests - 1)
  })

  test("authorization codes, a day after their access has ended; until then a replay ends the grant", async () => {
    const { app, kept, old } = await connected()
    await age("oauth_codes", "access_until", "25 hours", `grant_id = '${old.grantId}'`)
    await age("oauth_codes", "access_until", "23 hours", `grant_id = '${kept.grantId}'`)
    assert.deepStrictEqual(await sweep("app codes"), { "app codes": 1 })
    assert.deepStrictEqual(
      [await redeemAgain(superuser, app, old), await redeemAgain(superuser, app, kept)],
      ["invalid", "replayed"]
    )
  })

  test("refresh tokens, a day after their grant has ended, but not those of an active grant", async () => {
    const { app, kept, old, veteran } = await connected()
    const [revoked, ended] = [await connectApp(superuser, veteran, app), await connectApp(superuser, veteran, app)]
    await superuser.query("set session_replication_role = replica")
    for (const { grantId } of [revoked, ended]) await revoke(service, veteran, { id: grantId })
    await age("consent_grants", "expires_at", "25 hours", `id = '${old.grantId}'`)
    await age("consent_grants", "revoked_at", "25 hours", `id = '${revoked.grantId}'`)
    await age("consent_grants", "revoked_at", "23 hours", `id = '${ended.grantId}'`)
    await superuser.query("set session_replication_role = origin")
    assert.deepStrictEqual(await sweep("app tokens"), { "app tokens": 2 })
    const { rows } = await superuser.query("select grant_id from oauth_refresh_tokens where veteran_id = $1", [
      veteran.id
    ])
    assert.sameMembers(rows.map((row) => row.grant_id), [kept.grantId, ended.grantId])
    assert.strictEqual(await refreshAsApp(superuser, app, kept), "rotated")
  })
})

// Some of the rows below are of these two.
await signInVeteran(service)
await signInProvider(service)

/**
 * For each kind of rows: how long ago their times were, and what is inserted for each of these ages. The first row is
 * swept. The call asks for any age, and deletes the second row and no other.
 */
test.each<readonly [string, SweptRows, table: string, ages: string, inserted: string, call: string | null]>([
  ["A sign-in with Google is forgotten after an hour, when no cookie can finish it any more", "google sign-ins",
    "google_sign_ins", "61 minutes, 59 minutes",
    "select sha256($1::text::bytea), sha256(($1 || 'c')::bytea), 'c', id, now() - $1::interval from providers limit 1",
    null],
  ["The hash of an identity assertion is forgotten a minute after its expiry", "assertions", "identity_assertions",
    "61 seconds, 55 seconds, -4 minutes", "values (sha256($1::text::bytea), now() - $1::interval)", null],
  ["After an hour, the service forgets in which minute it last recorded an act", "minutes", "acts_noted",
    "61 minutes, 59 minutes",
    "select id, 'link_opened', gen_random_uuid(), now() - $1::interval, '{}' from veterans limit 1", null],
  ["A network where a veteran entered a code is deleted after 400 days; no call can do it before 90",
    "veterans' networks", "veteran_networks", "401 days, 399 days, 89 days",
    "select id, sha256($1::text::bytea), now() - $1::interval from veterans limit 1",
    "app.sweep_veteran_networks('-100 years', 1000000)"],
  ["An address leaves the waitlist after two years; no call can do it before one", "waitlist",
    "waitlist_signups (id, email, created_at)", "731 days, 729 days, 364 days",
    "values (gen_random_uuid(), gen_random_uuid() || '@example.org', now() - $1::interval)",
    "app.sweep_waitlist('-100 years', 1000000)"],
  ["What counted once is forgotten a minute after its end", "spent tokens", "spent_tokens",
    "61 seconds, 55 seconds, -1 minute", "values (sha256($1::text::bytea), now() - $1::interval)", null],
  ["A pairing that was not completed is deleted an hour after its end", "pairings",
    "veteran_pairings (id, issuer, subject_hash, va_patient_hash, key_thumbprint, tries_left, expires_at)",
    "61 minutes, 59 minutes",
    "values (gen_random_uuid(), 'x', sha256('x'), sha256('x'), sha256('x'), 5, now() - $1::interval)", null],
  ["A veteran's session is deleted 400 days after its end; no call can do it before 90", "veteran sessions",
    "veteran_sessions (veteran_id, id, key_thumbprint, how, network, expires_at)", "401 days, 399 days, 89 days",
    "select id, gen_random_uuid(), sha256('x'), 'va', 'x', now() - $1::interval from veterans limit 1",
    "app.sweep_sign_ins('veteran sessions', '-100 years', 1000000)"]
])("%s", async (_, what, table, ages, inserted, call) => {
  const [name] = table.split(" ")
  const before = await count(name!)
  for (const ago of ages.split(", ")) await superuser.query(`insert into ${table} ${inserted}`, [ago])
  assert.deepStrictEqual(await sweep(what), { [what]: 1 })
  if (call !== null) assert.deepStrictEqual((await runtime.query(`select ${call} as rows`)).rows, [{ rows: 1 }])
  assert.strictEqual(await count(name!), before + ages.split(", ").length - (call === null ? 1 : 2))
})

test("A process deletes expired data by itself", async () => {
  const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
  const grant = await giveGrant(service, veteran, provider)
  await age("consent_grants", "expires_at", "61 minutes", `id = '${grant.id}'`)
  await processOf(async () => await count("consent_grants", `id = '${grant.id}' and status = 'expired'`) === 1)
})

test("Thousands of rows are deleted in many statements, by only one of several processes", async () => {
  const add = (ago: string, rows: number) =>
    superuser.query(
      "insert into rate_limit_spendings select sha256('x'), now() - $1::interval, 1 from generate_series(1, $2::int)",
      [ago, rows]
    )
  await add("26 hours", 1_200)
  await add("24 hours", 5)
  const young = await count("rate_limit_spendings", "spent_at > now() - interval '25 hours'")
  await superuser.query("begin")
  await superuser.query(
    "select from rate_limit_spendings where spent_at < now() - interval '25 hours' limit 1 for update"
  )
  const swept = await Promise.all([sweep, sweeper(), sweeper()].map((sweep) => sweep("rate limits")))
  await superuser.query("commit")
  assert.deepStrictEqual(swept.map((rows) => rows["rate limits"] ?? 0).sort((a, b) => a - b), [0, 0, 1_199])
  assert.deepStrictEqual(await sweep("rate limits"), { "rate limits": 1 })
  assert.isAtLeast(await count("rate_limit_spendings"), young)
})

test("The runtime role cannot delete data younger than its minimum age, or data of an unknown kind", async () => {
  const veteran = await signInVeteran(service)
  const link = await createLink(service, veteran)
  await verified(service, link)
  await age("secure_links", "expires_at", "59 minutes", `id = '${link.id}'`)
  // Assertions of an earlier test may have become due meanwhile, so these are deleted first.
  await sweep("assertions")
  for (
    const what of ["grants", "links", "codes", "view sessions", "google sign-ins", "app requests", "app codes",
      "app tokens", "assertions", "minutes", "provider sessions", "rate limits", "disclosures"]
  ) {
    const { rows } = await runtime.query("select app.sweep($1, '-100 years', 1000000) as rows", [what])
    assert.deepStrictEqual(rows, [{ rows: 0 }], what)
  }
  const unknown = await runtime.query("select app.sweep('veterans', '1 day', 1)").catch(({ message }) => message)
  assert.strictEqual(unknown, "nothing is swept by this name")
})

test("A disclosure is deleted after the configured years (at least six), but its hash stays", async () => {
  const veteran = await signInVeteran(service)
  const provider = await signInProvider(service)
  const [old, kept] = [await giveGrant(service, veteran, provider), await giveGrant(service, veteran, provider)]
  const drained = await call(service, "POST", "/api/internal/proofs/drain", {
    headers: asDrainer
  })
  assert.strictEqual(drained.status, 200, drained.text)
  const list = async () =>
    (await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })).json.items
  const events: Array<any> = await list()
  const eventOf = (grant: { readonly id: string }) => events.find(({ grantId }) => grantId === grant.id)
  const [oldEvent, keptEvent] = [eventOf(old), eventOf(kept)]
  const tree = async () => (await superuser.query("select * from app.proof_tree()")).rows
  const before = await tree()
  await age("proofs", "at", "6 years 1 day", `id = '${oldEvent.id}'`)
  await age("proofs", "at", "5 years 364 days", `id = '${keptEvent.id}'`)
  assert.deepStrictEqual(await sweep("disclosures"), { disclosures: 0 })
  assert.deepStrictEqual(await sweeper({ DISCLOSURE_RETENTION_YEARS: "7" })("disclosures"), { disclosures: 0 })
  assert.deepStrictEqual(await sweeper({ DISCLOSURE_RETENTION_YEARS: "6" })("disclosures"), { disclosures: 1 })
  assert.deepStrictEqual((await list()).map(({ id }: any) => id), [keptEvent.id])
  const { rows: [row] } = await superuser.query("select * from proofs where id = $1", [oldEvent.id])
  assert.deepStrictEqual([row.event, row.leaf_ciphertext, row.provider_hash], [null, null, null])
  assert.strictEqual(row.leaf_hash.length, 32)
  assert.deepStrictEqual(await tree(), before)
})
