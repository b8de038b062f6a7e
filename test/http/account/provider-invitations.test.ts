import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, type SignedIn, signInProvider, signInVeteran } from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const path = "/api/provider/invitations"

const make = (provider: SignedIn, body: unknown = {}) =>
  call(service, "POST", path, { headers: provider.headers, body })

const list = (provider: SignedIn, query = "") => call(service, "GET", path + query, { headers: provider.headers })

const revoke = (provider: SignedIn, id: string) =>
  call(service, "POST", `${path}/${id}/revoke`, { headers: provider.headers })

const find = async (code: string) => {
  const answer = await call(
    service,
    "GET",
    `/api/veteran/me/provider-directory?invitation=${encodeURIComponent(code)}`,
    { headers: veteran.headers }
  )
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.items
}

describe("POST /api/provider/invitations", () => {
  test("makes a code by which veterans find the provider, and tells it once", async () => {
    const provider = await signInProvider(service)
    const { json, status } = await make(provider)
    assert.strictEqual(status, 201)
    const { code, expiresAt, id, qrSvg, url, ...others } = json
    assert.deepStrictEqual(others, {})
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{10}$/)
    assert.strictEqual(url, `http://localhost:8082/#invite=${code}`)
    assert.match(qrSvg, /^<svg [^]*<\/svg>\s*$/)
    assert.match(expiresAt, instant)
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000
    assert.isTrue(days > 89.9 && days < 90.1)

    const found = [{
      id: provider.id,
      email: provider.email,
      displayName: "Dr. Ada Gray",
      organization: "Gray Clinic",
      npi: null
    }]
    assert.deepStrictEqual(await find(code), found)
    const spelled = `${code.slice(0, 5)}-${code.slice(5)} `.toLowerCase().replaceAll("0", "o").replaceAll("1", "l")
    assert.deepStrictEqual(await find(spelled), found)

    const { json: { items, nextCursor } } = await list(provider)
    assert.deepStrictEqual([items, nextCursor], [[
      { id, createdAt: items[0].createdAt, expiresAt, revokedAt: null, used: 2 }
    ], null])
    assert.match(items[0].createdAt, instant)
  })

  test("keeps the code as a keyed hash only", async () => {
    const provider = await signInProvider(service)
    const { code, id } = (await make(provider)).json
    const { rows } = await superuser.query("select i::text as row from provider_invitations i where id = $1", [id])
    assert.lengthOf(rows, 1)
    assert.notInclude(rows[0].row.toUpperCase(), code)
  })

  test.each([1, 365])("takes %i days", async (expiresInDays) => {
    const { json, status } = await make(await signInProvider(service), { expiresInDays })
    assert.strictEqual(status, 201)
    assert.approximately((Date.parse(json.expiresAt) - Date.now()) / 86_400_000, expiresInDays, 0.1)
  })

  test.each([{ expiresInDays: 0 }, { expiresInDays: 366 }, { expiresInDays: 1.5 }, { expiresInDays: "7" }, {
    days: 7
  }])(
    "refuses %j",
    async (body) => {
      const answer = await make(await signInProvider(service), body)
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    }
  )

  test("gives a provider at most 10 live codes, in parallel too, and one more for each that is revoked", async () => {
    const provider = await signInProvider(service)
    const answers = await Promise.all(Array.from({ length: 16 }, () => make(provider)))
    const made = answers.filter(({ status }) => status === 201)
    assert.lengthOf(made, 10)
    for (const { json, status } of answers.filter((answer) => !made.includes(answer))) {
      assert.deepStrictEqual([status, json.error, json.message], [
        409,
        "conflict",
        "You have 10 codes in use, which is the most. Revoke one that is not needed."
      ])
    }
    await revoke(provider, made[0]!.json.id)
    assert.deepStrictEqual((await Promise.all([make(provider), make(provider)])).map(({ status }) => status).sort(), [
      201,
      409
    ])
  })
})

describe("A desk code finds nobody", () => {
  test("once it is revoked, and revoking again changes nothing", async () => {
    const provider = await signInProvider(service)
    const { code, id } = (await make(provider)).json
    const first = await revoke(provider, id)
    assert.strictEqual(first.status, 200)
    assert.match(first.json.revokedAt, instant)
    assert.deepStrictEqual((await revoke(provider, id)).json, first.json)
    assert.deepStrictEqual(await find(code), [])
  })

  test("once it has expired, and a revocation does not say otherwise", async () => {
    const provider = await signInProvider(service)
    const { code, id } = (await make(provider)).json
    await superuser.query(
      "update provider_invitations set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id = $1",
      [id]
    )
    assert.deepStrictEqual(await find(code), [])
    const revoked = await revoke(provider, id)
    assert.deepStrictEqual([revoked.status, revoked.json.revokedAt], [200, null])
  })

  test("once its provider is disabled", async () => {
    const provider = await signInProvider(service)
    const { code } = (await make(provider)).json
    await call(service, "POST", `/api/admin/providers/${provider.id}/disable`, { headers: asAdmin })
    assert.deepStrictEqual(await find(code), [])
  })

  test.each(["0123456789", "x", "%", "'", "0".repeat(40)])("that nobody made: %s", async (code) => {
    assert.deepStrictEqual(await find(code), [])
  })
})

describe("Another provider's codes", () => {
  test("are neither listed nor revoked", async () => {
    const [provider, other] = [await signInProvider(service), await signInProvider(service)]
    const { id } = (await make(provider)).json
    assert.deepStrictEqual((await list(other)).json, { items: [], nextCursor: null })
    const answer = await revoke(other, id)
    assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"])
  })

  test("come page after page, the newest first", async () => {
    const provider = await signInProvider(service)
    const ids: Array<string> = []
    for (const _ of [1, 2, 3]) ids.unshift((await make(provider)).json.id)
    const first = (await list(provider, "?limit=2")).json
    const second = (await list(provider, `?limit=2&cursor=${first.nextCursor}`)).json
    assert.deepStrictEqual([...first.items, ...second.items].map(({ id }: any) => id), ids)
    assert.isNull(second.nextCursor)
  })
})
