import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"

const { database, service } = await openApp()

describe("GET /api/veteran/me", () => {
  test("answers with the veteran's own data and nothing else", async () => {
    const { headers, id, vaPatientId } = await signInVeteran(service)
    const answer = await call(service, "GET", "/api/veteran/me", { headers })
    assert.strictEqual(answer.status, 200)
    const { createdAt, ...rest } = answer.json
    assert.deepStrictEqual(rest, {
      id,
      vaPatientId,
      callSign: "Eagle",
      email: "eagle@example.org",
      fhirSyncManifest: {}
    })
    assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  })

  test("gives the same answer when the veteran is addressed by id, in upper case too", async () => {
    const { headers, id } = await signInVeteran(service)
    for (const name of [id, id.toUpperCase()]) {
      const answer = await call(service, "GET", `/api/veteran/${name}`, { headers })
      assert.deepStrictEqual([answer.status, answer.json.id], [200, id])
    }
  })

  test("answers each of 20 parallel requests with its own veteran, or 401 if this veteran was deleted", async () => {
    const veterans = await Promise.all(Array.from({ length: 20 }, () => signInVeteran(service)))
    const gone = veterans[7]!.id
    await (await database.connect("owner")).query("delete from veterans where id = $1", [gone])
    const answers = await Promise.all(
      veterans.map(({ headers }) => call(service, "GET", "/api/veteran/me", { headers }))
    )
    assert.deepStrictEqual(
      answers.map(({ json, status }) => [status, json.id, json.vaPatientId ?? json.error]),
      veterans.map(({ id, vaPatientId }) => id === gone ? [401, undefined, "unauthenticated"] : [200, id, vaPatientId])
    )
  })

  test("shows the state of each type that was synchronised", async () => {
    const { headers } = await signInVeteran(service)
    const body = { fhirResourceFetchStatuses: { Condition: "empty" }, resources: {} }
    await call(service, "POST", "/api/veteran/me/health-record/sync", { headers, body })
    const { json } = await call(service, "GET", "/api/veteran/me", { headers })
    assert.deepStrictEqual(Object.keys(json.fhirSyncManifest), ["Condition"])
    assert.strictEqual(json.fhirSyncManifest.Condition.state, "empty")
  })
})
