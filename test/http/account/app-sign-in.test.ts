import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { newDevice, operatorCode, pair, registerPerson, renew, signInByVa, signInDevice } from "../../support/Device.ts"
import { openVaIssuer } from "../../support/VaIssuer.ts"

const va = await openVaIssuer()

const { service } = await openApp(va.environment)

describe("A veteran's first sign-in", () => {
  test("asks for a code once, and signs in without one afterwards", async () => {
    const person = await registerPerson(service)
    const device = await newDevice()
    const asked = await signInByVa(service, va, device, person, "My phone")
    assert.strictEqual(asked.status, 409, asked.text)
    const { pairingId, requestId: _, ...rest } = asked.json
    assert.deepStrictEqual(rest, {
      error: "pairing_required",
      message: "Prove once that this record is yours: send the code that was mailed or handed to you.",
      expiresIn: 600
    })
    const paired = await pair(service, device, pairingId, await operatorCode(service, person.id))
    assert.strictEqual(paired.status, 200, paired.text)
    const again = await signInByVa(service, va, device, person)
    assert.strictEqual(again.status, 200, again.text)
    const me = await call(service, "GET", "/api/veteran/me", {
      headers: { authorization: `Bearer ${again.json.accessToken}` }
    })
    assert.strictEqual(me.json.vaPatientId, person.vaPatientId)
    const renewed = await renew(service, device, again.json.sessionId)
    assert.strictEqual(renewed.status, 200, renewed.text)
  })

  test("lists sessions and ends them", async () => {
    const { headers, sessionId } = await signInDevice(service, va, "My phone")
    const list = await call(service, "GET", "/api/veteran/me/sessions", { headers })
    assert.strictEqual(list.status, 200, list.text)
    assert.strictEqual(list.json.items[0].deviceName, "My phone")
    const ended = await call(service, "POST", `/api/veteran/me/sessions/${sessionId}/end`, { headers })
    assert.strictEqual(ended.status, 204)
    for (const path of ["", "/sessions", "/health-record", "/provider-notes", "/documents"]) {
      const read = await call(service, "GET", `/api/veteran/me${path}`, { headers })
      assert.strictEqual(read.status, 401, path)
    }
  })
})
