import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { openPeople } from "../../support/People.ts"

const { database, service } = await openApp()

const { admin, newProvider, newVeteran } = openPeople(service)

const acts = async (query: string) => (await admin("GET", `/acts?${query}`)).json

const app = {
  name: "App",
  redirectUris: ["https://app.example/back"],
  scopes: ["patient/*.rs"],
  confidential: true
}

describe("GET /api/admin/acts", () => {
  test("tells who did what to whom by which request, the newest first", async () => {
    const veteran = { vaPatientId: `icn-${randomUUID()}`, callSign: "Eagle", email: "eagle@example.org" }
    const made = await admin("POST", "/veterans", veteran)
    const { id } = made.json
    const code = await admin("POST", `/veterans/${id}/pairing-code`)
    const changed = await admin("PATCH", `/veterans/${id}`, { callSign: "Hawk" })
    const { items, nextCursor } = await acts(`target=${id}`)
    assert.strictEqual(nextCursor, null)
    assert.deepStrictEqual(
      items.map(({ at: _, id: __, ...act }: any) => act),
      [["veteran_changed", changed], ["pairing_code_made", code], ["veteran_registered", made]].map((
        [act, answer]
      ) => ({
        act,
        target: { kind: "veteran", id },
        key: "admin",
        requestId: (answer as typeof made).headers.get("x-request-id")
      }))
    )
    for (const act of items) assert.strictEqual(new Date(act.at).toISOString(), act.at)
  })

  test("has an act of a provider and of an app for each request that changed something", async () => {
    const { id } = await newProvider()
    const { json: { clientId } } = await admin("POST", "/oauth-clients", app)
    for (let twice = 0; twice < 2; twice++) {
      assert.strictEqual((await admin("POST", `/providers/${id}/disable`)).status, 200)
      assert.strictEqual((await admin("POST", `/oauth-clients/${clientId}/rotate-secret`)).status, 200)
    }
    for (let twice = 0; twice < 2; twice++) {
      assert.strictEqual((await admin("POST", `/oauth-clients/${clientId}/disable`)).status, 200)
    }
    assert.strictEqual((await admin("POST", `/oauth-clients/${clientId}/rotate-secret`)).status, 409)
    const told = async (target: string) =>
      (await acts(`target=${target}`)).items.map(({ act, target: { kind } }: any) => `${kind} ${act}`)
    assert.deepStrictEqual(await told(id), ["provider provider_disabled", "provider provider_registered"])
    assert.deepStrictEqual(await told(clientId), [
      "app app_disabled",
      "app app_secret_rotated",
      "app app_secret_rotated",
      "app app_registered"
    ])
  })

  test("has none of a request that was refused", async () => {
    const id = randomUUID()
    await admin("PATCH", `/providers/${id}`, { displayName: "x" })
    await admin("POST", `/providers/${id}/disable`)
    await admin("POST", `/veterans/${id}/pairing-code`)
    await admin("POST", `/veterans/${id}/identities/${id}/remove`)
    await admin("POST", `/oauth-clients/${id}/disable`)
    await admin("DELETE", `/waitlist/${id}`)
    const registered = await newVeteran()
    const { callSign, email, vaPatientId } = registered
    assert.strictEqual((await admin("POST", "/veterans", { callSign, email, vaPatientId })).status, 409)
    assert.deepStrictEqual(await acts(`target=${id}`), { items: [], nextCursor: null })
    assert.lengthOf((await acts(`target=${registered.id}`)).items, 1)
  })

  test("is read in pages, by target, key and time together", async () => {
    const { id } = await newVeteran()
    for (const callSign of ["One", "Two", "Three"]) await admin("PATCH", `/veterans/${id}`, { callSign })
    const all = (await acts(`target=${id}`)).items
    assert.lengthOf(all, 4)
    const first = await acts(`target=${id}&limit=3`)
    assert.deepStrictEqual(first.items, all.slice(0, 3))
    const rest = await acts(`target=${id}&limit=3&cursor=${first.nextCursor}`)
    assert.deepStrictEqual(rest, { items: all.slice(3), nextCursor: null })
    const { at } = all[1]
    assert.deepStrictEqual((await acts(`target=${id}&from=${at}`)).items, all.slice(0, 2))
    assert.deepStrictEqual((await acts(`target=${id}&to=${at}&key=admin`)).items, all.slice(1))
    assert.deepStrictEqual((await acts(`target=${id}&key=nobody`)).items, [])
    const today = at.slice(0, 10)
    assert.isAtLeast((await acts(`target=${id}&from=${today}&to=${today}`)).items.length, 1)
    for (
      const wrong of ["target=1", "from=yesterday", "key=%00", "key=", "act=veteran_changed",
        `cursor=${first.nextCursor}`]
    ) {
      assert.strictEqual((await admin("GET", `/acts?${wrong}`)).status, 400, wrong)
    }
  })

  test("shows a reason where the act has one", async () => {
    const [id, target, requestId] = [randomUUID(), randomUUID(), randomUUID()]
    const superuser = await database.connect("superuser")
    await superuser.query(
      `insert into admin_acts (id, act, target_kind, target_id, key, request_id, reason)
       values ($1, 'export_made', 'veteran', $2, 'anna', $3, 'ticket 4711')`,
      [id, target, requestId]
    )
    const { items: [{ at: _, ...act }] } = await acts(`target=${target}`)
    const expected = { id, act: "export_made", target: { kind: "veteran", id: target }, key: "anna", requestId }
    assert.deepStrictEqual(act, { ...expected, reason: "ticket 4711" })
  })
})
