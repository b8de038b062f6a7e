import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, signInProvider, signInVeteran } from "../../support/Client.ts"

const { service } = await openApp()

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

  test.each([
    "",
    "?email=",
    "?email=%25",
    "?email=a%00@clinic.example",
    "?email=a@b.example&email=c@d.example",
    "?name=Ada"
  ])(
    "answers 400 unless there is exactly one complete e-mail: %j",
    async (query) => {
      const path = `/api/veteran/me/provider-directory${query}`
      const answer = await call(service, "GET", path, { headers: veteran.headers })
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
    }
  )
})
