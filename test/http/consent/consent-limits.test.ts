import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { askAsApp, connectApp, registerApp } from "../../support/Apps.ts"
import { askGrant, call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { assertEnough, letPermitsAge, spendPermits } from "../../support/Permits.ts"
import { newProvider } from "../../support/Providers.ts"
import { expireGrant, revoke } from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

// This turns triggers off, because they refuse every change to a grant that was revoked or has expired.
await superuser.query("set session_replication_role = replica")

const provider = await newProvider(superuser)

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/consent-grants"

const give = (to: { readonly id: string } = provider, by = veteran) => askGrant(service, by, to)

const times = <A>(count: number, make: () => Promise<A>) => Promise.all(Array.from({ length: count }, make))

const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status).sort()

const active = async () =>
  (await call(service, "GET", `${path}?limit=200`, { headers: veteran.headers })).json.items
    .filter(({ status }: { readonly status: string }) => status === "active")

/** Makes active grants by SQL, each to a different provider. */
const fill = (count: number) =>
  superuser.query(
    `with named as (
       insert into providers (id, email, password_hash, display_name, organization)
       select gen_random_uuid(), gen_random_uuid() || '@clinic.example', '', 'Dr. Gray', 'Gray Clinic'
       from generate_series(1, $2::int) returning id
     )
     insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported,
       include_documents, purpose, expires_at)
     select gen_random_uuid(), $1, id, '{}', true, true, 'treatment', now() + interval '1 hour' from named`,
    [veteran.id, count]
  )

describe("Active consent grants", () => {
  test("are limited to five for one provider: the sixth is a conflict whose message names the limits", async () => {
    for (let n = 0; n < 5; n++) assert.strictEqual((await give()).status, 201)
    const { json, status } = await give()
    assert.deepStrictEqual([status, json.error], [409, "conflict"])
    assert.strictEqual(
      json.message,
      "A veteran may have 100 active consent grants, 5 of them for one provider: revoke one of them first."
    )
    assert.strictEqual((await give(await newProvider(superuser))).status, 201)
    assert.strictEqual((await give(provider, await signInVeteran(service))).status, 201)
  })

  test("are exactly five after 20 requests for one provider in parallel", async () => {
    const answers = await times(20, () => give())
    assert.deepStrictEqual(statuses(answers), [...Array(5).fill(201), ...Array(15).fill(409)])
    assert.strictEqual((await active()).length, 5)
  })

  test("no longer count once they are revoked or have expired", async () => {
    const given = await times(5, () => give())
    assert.strictEqual((await give()).status, 409)
    await revoke(service, veteran, given[0]!.json)
    await expireGrant(superuser, given[1]!.json)
    assert.deepStrictEqual(statuses(await times(3, () => give())), [201, 201, 409])
  })

  test("are limited to 100 for one veteran over all providers and apps, also when given in parallel", async () => {
    await fill(97)
    assert.deepStrictEqual(statuses(await times(5, () => give())), [201, 201, 201, 409, 409])
    assert.strictEqual((await active()).length, 100)
    assert.strictEqual((await give(await newProvider(superuser))).status, 409)
    const { cookie, request } = await askAsApp(superuser, veteran, await registerApp(superuser))
    const { rows } = await superuser.query(
      "select status from app.approve_request($1, $2, gen_random_uuid(), null, '{}', 'patient/*.rs', false, 60, $1, 60, 100, 5, $3)",
      [request, cookie, veteran.id]
    )
    assert.deepStrictEqual(rows, [{ status: "full" }])
  })

  test("of apps and providers count towards the same limit of 100, and one app may have at most five", async () => {
    await fill(94)
    const app = await registerApp(superuser)
    for (let n = 0; n < 5; n++) await connectApp(superuser, veteran, app)
    assert.strictEqual(await connectApp(superuser, veteran, app).catch(({ message }) => message), "full")
    assert.deepStrictEqual(statuses(await times(2, () => give())), [201, 409])
  })
})

describe("Grants that are given", () => {
  test("are 100 a day, exactly so in parallel; a refused one costs nothing, and a revoked one has cost its permit", async () => {
    const { json: grant } = await give()
    await spendPermits(superuser, 97)
    assert.deepStrictEqual(statuses([await give({ id: veteran.id })]), [400])
    await letPermitsAge(superuser, 1)
    const others = await times(8, () => newProvider(superuser))
    const answers = await Promise.all(others.map((other) => give(other)))
    assert.deepStrictEqual(statuses(answers), [201, 201, ...Array(6).fill(429)])
    assertEnough(answers.find(({ status }) => status === 429)!, 23)
    assert.strictEqual((await revoke(service, veteran, grant)).status, 200)
    assertEnough(await give(), 23)
    assert.strictEqual((await active()).length, 2)
    const stopped = await call(service, "POST", "/api/veteran/me/sharing/stop-all", {
      headers: veteran.headers,
      body: {}
    })
    assert.strictEqual(stopped.json.provider, 2)
    await letPermitsAge(superuser, 23)
    assert.strictEqual((await give()).status, 201)
  })
})
