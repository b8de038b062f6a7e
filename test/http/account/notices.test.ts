import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, call, type SignedIn, signInVeteran } from "../../support/Client.ts"

const { service } = await openApp()

const path = "/api/veteran/me/notices"

const read = ({ headers }: SignedIn) => call(service, "GET", path, { headers })

const write = ({ headers }: SignedIn, body: unknown) => call(service, "PUT", path, { headers, body })

const told = ({ json, status }: Answer) => [status, json]

describe("A veteran's notices", () => {
  test("have defaults, and keep what was set", async () => {
    const veteran = await signInVeteran(service)
    assert.deepStrictEqual(told(await read(veteran)), [200, { looks: "daily", endings: true, staleAfterDays: 30 }])
    const chosen = { looks: "each", endings: false, staleAfterDays: 7 }
    assert.deepStrictEqual(told(await write(veteran, chosen)), [200, chosen])
    assert.deepStrictEqual(told(await read(veteran)), [200, chosen])
    const none = { looks: "off", endings: true, staleAfterDays: null }
    assert.deepStrictEqual(told(await write(veteran, none)), [200, none])
    assert.deepStrictEqual(told(await read(veteran)), [200, none])
    assert.deepStrictEqual(told(await write(veteran, {})), [200, { looks: "daily", endings: true, staleAfterDays: 30 }])
  })

  test("are each veteran's own", async () => {
    const [one, other] = [await signInVeteran(service), await signInVeteran(service)]
    await write(one, { looks: "off" })
    assert.strictEqual((await read(other)).json.looks, "daily")
  })

  test.each([
    { looks: "weekly" },
    { endings: "yes" },
    { staleAfterDays: 6 },
    { staleAfterDays: 366 },
    { staleAfterDays: 7.5 },
    { looks: null },
    { mail: true }
  ])("do not take %j", async (body) => {
    const { json, status } = await write(await signInVeteran(service), body)
    assert.deepStrictEqual([status, json.error], [400, "invalid_request"])
  })
})
