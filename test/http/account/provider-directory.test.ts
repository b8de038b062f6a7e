import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, signInProvider, signInVeteran } from "../../support/Client.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const find = (email: string) =>
  call(service, "GET", `/api/veteran/me/provider-directory?email=${encodeURIComponent(email)}`, {
    headers: veteran.headers
  })

describe("GET /api/veteran/{veteranId}/provider-directory", () => {
  test("answers with the one provider who has exactly this e-mail, in any letter case", async () => {
    const { email, id } = await signInProvider(service)
    await signInProvider(service)
    for (const spelling of [email, email.toUpperCase()]) {
      const answer = await find(spelling)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json, {
        items: [{ id, email, displayName: "Dr. Ada Gray", organization: "Gray Clinic", npi: null }],
        nextCursor: null
      })
    }
  })

  test("finds nobody for a wildcard or for a part of an e-mail", async () => {
    const { email } = await signInProvider(service)
    const [name = "", domain = ""] = email.split("@")
    const patterns = [`%@${domain}`, `_${email.slice(1)}`, `*@${domain}`, `x${email}`, `${name.slice(0, -1)}@${domain}`]
    for (const pattern of [...patterns, `${name}@${domain}.example`, `${randomUUID()}@clinic.example`]) {
      const answer = await find(pattern)
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json, { items: [], nextCursor: null })
    }
  })

  test("does not show a disabled provider", async () => {
    const { email, id } = await signInProvider(service)
    await call(service, "POST", `/api/admin/providers/${id}/disable`, { headers: asAdmin })
    assert.deepStrictEqual((await find(email)).json, { items: [], nextCursor: null })
  })

  test("finds up to 5 providers by their National Provider Identifier", async () => {
    const npi = "1245319599"
    const ids = []
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      const { id } = await signInProvider(service)
      await superuser.query("update providers set npi = $1 where id = $2", [npi, id])
      ids.push(id)
    }
    const path = `/api/veteran/me/provider-directory?npi=${npi}`
    const { json, status } = await call(service, "GET", path, { headers: veteran.headers })
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(json.items.map(({ id, npi }: any) => [id, npi]), ids.slice(0, 5).map((id) => [id, npi]))
    await superuser.query("update providers set npi = null where npi = $1", [npi])
    assert.deepStrictEqual((await call(service, "GET", path, { headers: veteran.headers })).json.items, [])
  })

  test("answers a veteran 60 times in 15 minutes", async () => {
    const { headers } = await signInVeteran(service)
    const ask = () => call(service, "GET", "/api/veteran/me/provider-directory?email=a@b.example", { headers })
    const statuses = (await Promise.all(Array.from({ length: 61 }, ask))).map(({ status }) => status)
    assert.deepStrictEqual([statuses.filter((status) => status === 200).length, statuses.includes(429)], [60, true])
  })

  test.each([
    "?npi=1245319598",
    "?npi=124531959",
    "?npi=",
    "?invitation=",
    `?invitation=${"0".repeat(41)}`,
    "?email=a@b.example&npi=1245319599",
    "?npi=1245319599&invitation=0123456789",
    "",
    "?email=",
    "?email=%25",
    "?email=a%00@clinic.example",
    "?email=a@b.example&email=c@d.example",
    "?name=Ada"
  ])(
    "answers 400 unless there is exactly one complete e-mail, identifier or code: %j",
    async (query) => {
      const path = `/api/veteran/me/provider-directory${query}`
      const answer = await call(service, "GET", path, { headers: veteran.headers })
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    }
  )
})
