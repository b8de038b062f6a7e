import { HttpApi } from "effect/http-api"
import { assert, describe, test } from "vitest"
import { Api } from "../../../src/http/Api.ts"
import { openService } from "../../support/App.ts"
import { asAdmin, call } from "../../support/Client.ts"
import { atVa, prove, renew, signInDevice } from "../../support/Device.ts"
import { nobody } from "../../support/Formats.ts"
import { postSync, resource, sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { sign } from "../release/Releases.ts"

const { database, service: one, va } = await openVaApp()

const other = await openService(database, va.environment)

const superuser = await database.connect("superuser")

const holder = await database.connect("superuser")

/** Every route of a veteran, with values in its path that fit the schema. */
const routes: Array<readonly [method: string, path: string]> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    if (!endpoint.path.startsWith("/api/veteran/")) return
    const path = endpoint.path.replace(":veteranId", "me").replace(":kind", "grant").replaceAll(/:\w+/g, nobody)
    routes.push([endpoint.method, path.replace(/(?<=.)\/$/, "")])
  }
})

const unauthenticated = Object.fromEntries(routes.map(([method, path]) => [`${method} ${path}`, 401]))

const statusesOf = async (service: typeof one, headers: Record<string, string>) =>
  Object.fromEntries(
    await Promise.all(routes.map(async ([method, path]) =>
      [`${method} ${path}`, (await call(service, method, path, { headers })).status] as const
    ))
  )

type Session = Awaited<ReturnType<typeof signInDevice>>

/** What ends a session. Each is a request to the first process. */
const ends: Record<string, (session: Session) => Promise<{ readonly status: number }>> = {
  "that it was ended": ({ headers, sessionId }) =>
    call(one, "POST", `/api/veteran/me/sessions/${sessionId}/end`, { headers }),
  "that the veteran signed out": ({ headers }) =>
    call(one, "POST", "/api/veteran/me/sessions/current/end", { headers }),
  "that all were ended": ({ headers }) => call(one, "POST", "/api/veteran/me/sessions/end-all", { headers }),
  "that an account was removed": async ({ device, headers }) => {
    const signedIn = await atVa(one, va, device, { subject: newSubject() })
    const path = "/api/veteran/me/identities"
    const { json: { id } } = await prove(one, device, path, signedIn.challenge, signedIn, headers)
    return call(one, "POST", `${path}/${id}/remove`, { headers })
  },
  "that the operator removed the account": async ({ person }) => {
    const path = `/api/admin/veterans/${person.id}/identities`
    const { json: { items: [identity] } } = await call(one, "GET", path, { headers: asAdmin })
    return call(one, "POST", `${path}/${identity.id}/remove`, { headers: asAdmin })
  }
}

/** An end is kept with its session, or with its veteran for all tokens at once. Each route meets one end of each. */
const tried = ["that it was ended", "that all were ended"]

describe("After the answer", () => {
  test.each(Object.entries(ends))("%s, the token reads and writes nothing on any process", async (name, end) => {
    const session = await signInDevice(one, va)
    const me = async (service: typeof one) =>
      (await call(service, "GET", "/api/veteran/me", { headers: session.headers })).status
    assert.deepStrictEqual([await me(one), await me(other)], [200, 200])
    assert.strictEqual((await end(session)).status, 204)
    for (const service of [other, one]) {
      assert.strictEqual(await me(service), 401)
      if (tried.includes(name)) {
        assert.deepStrictEqual(await statusesOf(service, session.headers), unauthenticated)
      }
    }
    assert.strictEqual((await renew(one, session.device, session.sessionId)).status, 401)
  })
})

/** Holds the veteran's row, as a long sync does. Returns how to let it go. */
const holdRow = async (veteranId: string) => {
  await holder.query("begin")
  await holder.query("select from veterans where id = $1 for no key update", [veteranId])
  return () => holder.query("commit")
}

const waitingForRow = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`

describe("While a sync runs", () => {
  test.each(Object.entries(ends))("%s takes effect at once, and the sync stores nothing", async (_, end) => {
    const session = await signInDevice(one, va)
    const letGo = await holdRow(session.person.id)
    const synced = postSync(other, session, { Condition: "complete" }, { Condition: [] })
    await until("the sync waits", async () => (await superuser.query(waitingForRow)).rowCount === 1)
    assert.strictEqual((await end(session)).status, 204)
    await letGo()
    assert.strictEqual((await synced).status, 401)
    const { rows: [{ stored }] } = await superuser.query(
      "select fhir_sync_manifest <> '{}' as stored from veterans where id = $1",
      [session.person.id]
    )
    assert.isFalse(stored)
  })
})

test("A release that waits for a sync is not signed once the sessions have ended", async () => {
  const session = await signInDevice(one, va)
  const veteran = { ...session, id: session.person.id, token: session.access.accessToken }
  await sync(one, session, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
  const letGo = await holdRow(session.person.id)
  const signing = sign(other, veteran, { information: { resourceTypes: ["Condition"], documentIds: [] } })
  await until("the release waits", async () => (await superuser.query(waitingForRow)).rowCount === 1)
  assert.strictEqual((await ends["that all were ended"]!(session)).status, 204)
  await letGo()
  assert.strictEqual((await signing).status, 401)
  const signed = await superuser.query("select from documents where veteran_id = $1", [session.person.id])
  assert.strictEqual(signed.rowCount, 0)
})
