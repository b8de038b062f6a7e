import { assert, describe, test } from "vitest"
import { ask, attachedAs, unbroken } from "../../services/pdf/PdfTools.ts"
import { bearer, call, signIn } from "../../support/Client.ts"
import { atVa, letConfirmationPass, newDevice, prove, signInDevice } from "../../support/Device.ts"
import { confirmByPasskey, confirmPath, newPasskey, signInByPasskey } from "../../support/Passkeys.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { drain, undrained } from "../ledger/Drained.ts"
import { download, sign } from "../release/Releases.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const signedIn = async () => {
  const { person, headers, sessionId, ...rest } = await signInDevice(service, va)
  const authorization = headers.authorization
  return { ...rest, person, sessionId, id: person.id, token: authorization.slice("Bearer ".length), headers }
}

const eventOf = async (headers: Record<string, string>) =>
  (await call(service, "GET", "/api/veteran/me/disclosures?kind=roi_signed", { headers })).json.items[0]

describe("A release", () => {
  test("says nothing of a confirmation if the session exchange began the session", async () => {
    const veteran = await signedIn()
    const exchanged = await signIn(service, { id: veteran.id, vaPatientId: veteran.person.vaPatientId })
    assert.strictEqual((await sign(service, exchanged)).status, 201)
    assert.doesNotHaveAnyKeys(await eventOf(exchanged.headers), ["how", "confirmedAt"])
  })

  test("says how and when it was confirmed: in the account, and in the certificate", async () => {
    const veteran = await signedIn()
    const { rows } = await superuser.query("select confirmed_at from veteran_sessions where id = $1", [
      veteran.sessionId
    ])
    const at: Date = rows[0].confirmed_at
    const { event, json } = await undrained(await database.connect("superuser"), async () => {
      const { json, status } = await sign(service, veteran)
      assert.strictEqual(status, 201)
      return { event: await eventOf(veteran.headers), json }
    })
    assert.deepInclude(event, { how: "va", confirmedAt: at.toISOString() })
    await drain(service)
    assert.deepStrictEqual({ ...await eventOf(veteran.headers), treeIndex: null }, event)
    const { bytes } = await download(service, veteran, `/api/veteran/me/documents/${json.document.id}/content`)
    const { session } = JSON.parse((await attachedAs(bytes, "authorization.json")).toString())
    assert.deepInclude(session, { id: veteran.sessionId, how: "va", confirmedAt: at.toISOString() })
    const text = unbroken(await ask(bytes, "pdftotext", "-layout"))
    const second = `${at.toISOString().slice(0, 19).replace("T", " ")} UTC`
    assert.include(text, `Session ${veteran.sessionId}`)
    assert.include(text, `Confirmed By sign-in at the VA, ${second}`)
  })

  test("says that it was confirmed by a passkey, though the session began at the VA", async () => {
    const veteran = await signedIn()
    const passkey = await newPasskey(service, veteran.headers)
    await letConfirmationPass(superuser, veteran.sessionId)
    assert.strictEqual((await sign(service, veteran)).status, 403)
    assert.strictEqual((await confirmByPasskey(service, veteran.device, veteran.headers, passkey)).status, 200)
    const { json, status } = await sign(service, veteran)
    assert.strictEqual(status, 201)
    const { confirmedAt, how } = await eventOf(veteran.headers)
    assert.strictEqual(how, "passkey")
    const { bytes } = await download(service, veteran, `/api/veteran/me/documents/${json.document.id}/content`)
    const { session } = JSON.parse((await attachedAs(bytes, "authorization.json")).toString())
    assert.deepInclude(session, { id: veteran.sessionId, how: "passkey", confirmedAt })
    const text = unbroken(await ask(bytes, "pdftotext", "-layout"))
    assert.include(text, `Confirmed By passkey, ${confirmedAt.slice(0, 19).replace("T", " ")} UTC`)
  })

  test("says how a session was confirmed that began by a passkey, and when the VA confirmed it later", async () => {
    const veteran = await signedIn()
    const passkey = await newPasskey(service, veteran.headers)
    const device = await newDevice()
    const { json: { accessToken, confirmedUntil } } = await signInByPasskey(service, device, passkey)
    const begun = { ...veteran, token: accessToken, headers: bearer(accessToken) }
    assert.strictEqual((await sign(service, begun)).status, 201)
    const confirmedAt = (until: string) => new Date(Date.parse(until) - 300_000).toISOString()
    assert.deepInclude(await eventOf(begun.headers), { how: "passkey", confirmedAt: confirmedAt(confirmedUntil) })
    const atTheVa = await atVa(service, va, device, veteran.person)
    const confirmed = await prove(service, device, confirmPath, atTheVa.challenge, atTheVa, begun.headers)
    assert.strictEqual(confirmed.status, 200)
    assert.strictEqual((await sign(service, begun)).status, 201)
    assert.deepInclude(await eventOf(begun.headers), {
      how: "va",
      confirmedAt: confirmedAt(confirmed.json.confirmedUntil)
    })
  })
})
