import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInProvider, signInVeteran } from "../../support/Client.ts"

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

  test("answers 400 when the veteran is addressed by a malformed id", async () => {
    const { headers } = await signInVeteran(service)
    const answer = await call(service, "GET", "/api/veteran/nobody", { headers })
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
  })

  test("answers 401 once the veteran no longer exists", async () => {
    const { headers, id } = await signInVeteran(service)
    const owner = await database.connect("owner")
    await owner.query("delete from veterans where id = $1", [id])
    const answer = await call(service, "GET", "/api/veteran/me", { headers })
    assert.deepStrictEqual([answer.status, answer.json.error], [401, "unauthenticated"])
  })
})

describe("Every route of a veteran", () => {
  /** The method and path of each route in the service's own description, with made-up ids. */
  const routes = async (veteranId: string) => {
    const { json } = await call(service, "GET", "/api/openapi.json")
    return Object.entries<object>(json.paths)
      .filter(([path]) => path.startsWith("/api/veteran/{veteranId}"))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) =>
          [method.toUpperCase(), path.replace("{veteranId}", veteranId).replace(/\{\w+\}/g, randomUUID())] as const
        )
      )
  }
  const bodyOf = (method: string) => method === "GET" || method === "DELETE" ? {} : { body: "{}" }

  test("answers 403 to another veteran's token, whether or not the addressed veteran exists", async () => {
    const [veteran, other] = [await signInVeteran(service), await signInVeteran(service)]
    for (const addressed of [other.id, other.id.toUpperCase(), randomUUID()]) {
      const all = await routes(addressed)
      assert.isAtLeast(all.length, 14)
      for (const [method, path] of all) {
        const answer = await call(service, method, path, { headers: veteran.headers, ...bodyOf(method) })
        assert.strictEqual(answer.status, 403, `${method} ${path}`)
        assert.strictEqual(answer.json.error, "veteran_mismatch", `${method} ${path}`)
      }
    }
  })

  test("answers 403 to a provider's token and 401 to a request without a token", async () => {
    const [veteran, provider] = [await signInVeteran(service), await signInProvider(service)]
    for (const [method, path] of await routes(veteran.id)) {
      const wrongKind = await call(service, method, path, { headers: provider.headers, ...bodyOf(method) })
      assert.deepStrictEqual([wrongKind.status, wrongKind.json.error], [403, "forbidden"], `${method} ${path}`)
      const legacy = { "x-user-id": veteran.id, "x-user-type": "veteran", "x-veteran-id": veteran.id }
      const none = await call(service, method, path, { headers: legacy, ...bodyOf(method) })
      assert.deepStrictEqual([none.status, none.json.error], [401, "unauthenticated"], `${method} ${path}`)
    }
  })
})
