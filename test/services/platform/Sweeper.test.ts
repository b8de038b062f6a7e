import * as PgClient from "@effect/sql-pg/PgClient"
import { ConfigProvider, Effect, Layer, ManagedRuntime, Redacted, String } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { afterAll, assert, describe, test } from "vitest"
import { connection } from "../../../src/layers/Connection.ts"
import { Sweeps } from "../../../src/layers/Sweeps.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { Sweeper } from "../../../src/services/platform/Sweeper.ts"
import { Actors } from "../../../src/sql/Actor.ts"
import { OwnConnections, SharedConnections } from "../../../src/sql/Connections.ts"
import { createLink, listLinks, step, verified, view } from "../../http/link/Links.ts"
import { listPatients, revoke } from "../../http/Sharing.ts"
import { openApp } from "../../support/App.ts"
import { connectApp, redeemAgain, refreshAsApp, registerApp } from "../../support/Apps.ts"
import { asDrainer, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { digestOf, postSync, readRecord, resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const runtime = await database.connect("runtime")

/** What a process with these settings has of the database. */
const connections = (environment: Record<string, string>) => {
  const { user, ...at } = connection(Redacted.make(database.url("runtime")), {
    production: false,
    caCertificate: database.caCertificate
  })
  const pool = PgClient.make({
    ...at,
    username: user,
    maxConnections: 2,
    transformResultNames: String.snakeToCamel,
    transformQueryNames: String.camelToSnake
  })
  const settings = Settings.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test", ...environment })))
  )
  return Layer.mergeAll(
    Layer.effect(SqlClient.SqlClient, pool),
    Layer.effect(OwnConnections, pool),
    Layer.effect(SharedConnections, pool)
  ).pipe(Layer.provide(Reactivity.layer), Layer.merge(settings))
}

/** The sweeps as such a process does them. */
const sweeper = (environment: Record<string, string> = {}) => {
  const runtime = ManagedRuntime.make(Layer.fresh(Layer.provide(Sweeper.layer, connections(environment))))
  afterAll(runtime.dispose)
  return (...names: Parameters<Sweeper["Service"]["sweep"]>) =>
    runtime.runPromise(Sweeper.use(({ sweep }) => sweep(...names))).then((swept) => Object.fromEntries(swept))
}

const sweep = sweeper()

/** Lets a process be `minutes` old. */
const processOf = async (minutes: number, done: () => Promise<boolean>) => {
  const process = Layer.fresh(Sweeps).pipe(
    Layer.provide([FileStore.layer, Actors.layer]),
    Layer.provide(connections({ UPLOAD_DIR: service.directory }))
  )
  const run = Effect.gen(function*() {
    yield* Layer.build(process)
    yield* TestClock.adjust(`${minutes} minutes`)
    yield* Effect.promise(() => until("the sweep is over", done))
  })
  await Effect.runPromise(Effect.scoped(Effect.provide(run, TestClock.layer())))
}

const count = async (table: string, where = "true") =>
  (await superuser.query(`select count(*)::int as n from ${table} where ${where}`)).rows[0].n as number

const age = (table: string, column: string, interval: string, where = "true") =>
  superuser.query(`update ${table} set ${column} = clock_timestamp() - $1::interval where ${where}`, [interval])

describe("What has expired is refused when it is read, and tidied later:", () => {
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
    // Its hash is gone, so that it is like one that was never given.
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

test("a sign-in with Google is forgotten after an hour, when no cookie can finish it any more", async () => {
  const { id } = await signInProvider(service)
  for (const ago of ["61 minutes", "59 minutes"]) {
    await superuser.query(
      "insert into google_sign_ins values (sha256($2), sha256($2 || 'c'), 'c', $1, now() - $3::interval)",
      [id, Buffer.from(ago), ago]
    )
  }
  assert.deepStrictEqual(await sweep("google sign-ins"), { "google sign-ins": 1 })
  assert.strictEqual(await count("google_sign_ins", "created_at > now() - interval '1 hour'"), 1)
  assert.strictEqual(await count("google_sign_ins", "true"), 1)
})

describe("Of apps is deleted", () => {
  const connected = async () => {
    const veteran = await signInVeteran(service)
    const app = await registerApp(superuser)
    const [old, kept] = [await connectApp(superuser, veteran, app), await connectApp(superuser, veteran, app)]
    return { veteran, app, old, kept }
  }

  test("an hour later, what they asked", async () => {
    await connected()
    const requests = await count("oauth_requests")
    await age("oauth_requests", "created_at", "59 minutes")
    await age("oauth_requests", "created_at", "61 minutes", "hash = (select hash from oauth_requests limit 1)")
    assert.deepStrictEqual(await sweep("app requests"), { "app requests": 1 })
    assert.strictEqual(await count("oauth_requests"), requests - 1)
  })

  test("a day after what they open has ended, authorization codes: until then a replay ends the grant", async () => {
    const { app, kept, old } = await connected()
    await age("oauth_codes", "access_until", "25 hours", `grant_id = '${old.grantId}'`)
    await age("oauth_codes", "access_until", "23 hours", `grant_id = '${kept.grantId}'`)
    assert.deepStrictEqual(await sweep("app codes"), { "app codes": 1 })
    assert.deepStrictEqual(
      [await redeemAgain(superuser, app, old), await redeemAgain(superuser, app, kept)],
      ["invalid", "replayed"]
    )
  })

  test("a day after the end of their grant, refresh tokens, and none whose grant is active", async () => {
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

  test("a minute after their end, the hashes of identity assertions", async () => {
    for (const ago of ["61 seconds", "55 seconds", "-4 minutes"]) {
      await superuser.query("insert into identity_assertions values (sha256($1), now() - $2::interval)", [
        Buffer.from(ago),
        ago
      ])
    }
    assert.deepStrictEqual(await sweep("assertions"), { assertions: 1 })
    assert.strictEqual(await count("identity_assertions"), 2)
  })
})

test("which minute an act was last told of is forgotten after an hour", async () => {
  const add = (ago: string) =>
    superuser.query(
      "insert into acts_noted values (gen_random_uuid(), 'link_opened', gen_random_uuid(), now() - $1::interval, '{}')",
      [ago]
    )
  await add("61 minutes")
  await add("59 minutes")
  assert.deepStrictEqual(await sweep("minutes"), { minutes: 1 })
  assert.strictEqual(await count("acts_noted", "minute < now() - interval '50 minutes'"), 1)
})

test("networks where a veteran entered a code are forgotten after 400 days, and after 90 at the least", async () => {
  const add = (ago: string) =>
    superuser.query(
      "insert into veteran_networks values (gen_random_uuid(), sha256($1::text::bytea), now() - $1::text::interval)",
      [ago]
    )
  for (const ago of ["401 days", "399 days", "89 days"]) await add(ago)
  assert.deepStrictEqual(await sweep("veterans' networks"), { "veterans' networks": 1 })
  const { rows } = await runtime.query("select app.sweep_veteran_networks('-100 years', 1000000) as rows")
  assert.deepStrictEqual(rows, [{ rows: 1 }])
  assert.strictEqual(await count("veteran_networks"), 1)
})

describe("Inactive items of a record are deleted", () => {
  const types = { Condition: "complete" }
  const opened = async () => {
    const veteran = await signInVeteran(service)
    const ids = ["old", "late", "active"]
    await sync(service, veteran, types, { Condition: ids.map((id) => resource("Condition", id)) })
    await sync(service, veteran, types, { Condition: [resource("Condition", "active")] })
    const of = (id: string) => `veteran_id = '${veteran.id}' and fhir_id = '${id}'`
    await age("health_record_items", "deactivated_at", "90 days 1 minute", of("old"))
    await age("health_record_items", "deactivated_at", "89 days 23 hours", of("late"))
    await age("health_record_items", "synced_at", "1 year", of("active"))
    return {
      veteran,
      of,
      ids: async () =>
        (await readRecord(service, veteran, { includeInactive: "true" })).items.map(({ fhirId }) => fhirId)
    }
  }
  const sizes = async ({ id }: { readonly id: string }) =>
    (await superuser.query(
      `select active_bytes::int = (
           select sum(octet_length(raw_ciphertext) + 640) from health_record_items where veteran_id = $1 and active
         ) as active, inactive_bytes = coalesce((
           select sum(octet_length(raw_ciphertext) + 640) from health_record_items where veteran_id = $1 and not active
         ), 0) as inactive
       from health_record_sizes where veteran_id = $1`,
      [id]
    )).rows

  test("ninety days after they became so, or when that is set, and what is active stays (findings H5)", async () => {
    const { ids, veteran } = await opened()
    const manifest = async () => (await readRecord(service, veteran)).manifest
    const before = await manifest()
    assert.deepStrictEqual(await sweeper({ INACTIVE_ITEM_DAYS: "91" })("inactive items"), { "inactive items": 0 })
    assert.deepStrictEqual(await sweep("inactive items"), { "inactive items": 1 })
    assert.deepStrictEqual(await ids(), ["active", "late"])
    assert.deepStrictEqual(await sizes(veteran), [{ active: true, inactive: true }])
    assert.deepStrictEqual(await sweeper({ INACTIVE_ITEM_DAYS: "1" })("inactive items"), { "inactive items": 1 })
    assert.deepStrictEqual(await ids(), ["active"])
    assert.deepStrictEqual(await sizes(veteran), [{ active: true, inactive: true }])
    assert.deepStrictEqual(await manifest(), before)
    // What stood for the last list stands for it still.
    const same = { Condition: digestOf([resource("Condition", "active")]) }
    assert.strictEqual((await postSync(service, veteran, types, {}, same)).status, 200)
  })

  test("not while their veteran synchronises, and those of others meanwhile", async () => {
    const [busy, other] = [await opened(), await opened()]
    await superuser.query("begin")
    await superuser.query("select from veterans where id = $1 for no key update", [busy.veteran.id])
    assert.deepStrictEqual(await sweep("inactive items"), { "inactive items": 1 })
    await superuser.query("commit")
    assert.deepStrictEqual(await busy.ids(), ["active", "late", "old"])
    assert.deepStrictEqual(await other.ids(), ["active", "late"])
    assert.deepStrictEqual(await sweep("inactive items"), { "inactive items": 1 })
  })

  test("by a process that is an hour old", async () => {
    const { of } = await opened()
    await processOf(60, async () => await count("health_record_items", of("old")) === 0)
    assert.strictEqual(await count("health_record_items", of("late")), 1)
  })

  test("not before a day has passed, whoever has the runtime role", async () => {
    const { ids } = await opened()
    await age("health_record_items", "deactivated_at", "23 hours", "not active")
    const { rows } = await runtime.query("select app.sweep_inactive_items('-100 years', 1000000) as rows")
    assert.deepStrictEqual(rows, [{ rows: 0 }])
    assert.deepStrictEqual(await ids(), ["active", "late", "old"])
  })
})

test("a process tidies what has expired when it is a minute old", async () => {
  const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
  const grant = await giveGrant(service, veteran, provider)
  await age("consent_grants", "expires_at", "61 minutes", `id = '${grant.id}'`)
  await processOf(1, async () => await count("consent_grants", `id = '${grant.id}' and status = 'expired'`) === 1)
})

test("thousands of rows go in many statements, each once, by one process of several, whoever has some locked", async () => {
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

test("whoever has the runtime role can tidy nothing before its least time, nor what has no name", async () => {
  const veteran = await signInVeteran(service)
  const link = await createLink(service, veteran)
  await verified(service, link)
  await age("secure_links", "expires_at", "59 minutes", `id = '${link.id}'`)
  // What became due since those tests, goes first.
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

test("an event of the account of disclosures is forgotten when that is set, after six years at least; the tree stays", async () => {
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
