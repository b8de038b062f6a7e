import { assert, describe, test } from "vitest"
import { VeteranId } from "../../src/domain/Id.ts"
import { linkSecrets } from "../../src/services/link/LinkSecrets.ts"
import { newSecret } from "../../src/services/platform/Crypto.ts"
import { slotOf, slotOfId } from "../../src/services/platform/Slot.ts"
import { openApp } from "../support/App.ts"
import { giveGrant, signInProvider, signInVeteran } from "../support/Client.ts"
import { uuid } from "../support/Formats.ts"
import { within } from "./document/Copies.ts"
import { askManifest, codeFor, createAppLink } from "./link/AppLinks.ts"
import { challenge, createLink, step, verified, view } from "./link/Links.ts"
import { approval, proved, registerApp, registerVeteran, submit, toldTo, verifier } from "./oauth/Asking.ts"
import { giveCode, post, redeem, refresh, refused, registerClient } from "./oauth/Grants.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const runtime = await database.connect("runtime")

const veteran = await signInVeteran(service)

const slot = slotOf(VeteranId.make(veteran.id))

const { documentId } = await createLink(service, veteran)

/** A link whose token has the form of the time before there were slots. */
const oldLink = async () => {
  const link = await createLink(service, veteran, { documentId })
  const token = newSecret()
  const { tokenHash } = await within(service, linkSecrets)
  await superuser.query("update secure_links set token_hash = $2 where id = $1", [link.id, tokenHash(token)])
  return { ...link, token }
}

const begins = (secret: string, length: number, expected = slot) => {
  assert.match(secret, /^[\w-]+$/)
  assert.strictEqual(secret.length, length)
  assert.strictEqual(secret.slice(0, 2), expected)
}

const carries = (id: string, expected = slot) => {
  assert.match(id, uuid)
  assert.strictEqual(slotOfId(id), expected)
}

describe("The slot of the veteran", () => {
  test("is in the ids of releases and of grants to providers", async () => {
    carries(documentId)
    carries((await giveGrant(service, veteran, await signInProvider(service))).id)
  })

  test("begins the token of a link and its view session", async () => {
    const link = await createLink(service, veteran, { documentId })
    begins(link.token, 45)
    begins(await verified(service, link), 45)
  })

  test("begins the ticket of a file that a health app gets, whose link's own names have none", async () => {
    const link = await createAppLink(service, veteran, { documentId })
    assert.match(link.manifestId, /^[\w-]{43}$/)
    const passcode = await codeFor(service, link)
    const { json } = await askManifest(service, link, { passcode, embeddedLengthMax: 0 })
    begins(new URL(json.files[0].location).pathname.split("/").at(-1)!, 45)
  })

  test("begins the view session of a SMART Health Link's page, whose token is derived from the link's key", async () => {
    const link = await createAppLink(service, veteran, { documentId })
    assert.match(link.token, /^[\w-]{43}$/)
    begins(await verified(service, link), 45)
  })

  test("begins an app's code and each of its refresh tokens, and is in the grant's id", async () => {
    const person = await registerVeteran(service)
    const own = slotOf(VeteranId.make(person.id))
    const app = await registerApp(superuser)
    const { browser, page } = await proved(service, app, person.email)
    const { code } = toldTo(app, await submit(service, "decision", browser, approval(page.text)))
    begins(code!, 45, own)
    // A form that is sent twice gets the same code, until it is spent.
    assert.strictEqual(toldTo(app, await submit(service, "decision", browser, approval(page.text)))["code"], code)
    const { json } = await post(service, "/api/oauth/token", {
      grant_type: "authorization_code",
      client_id: app.id,
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
      code: code!
    })
    begins(json.refresh_token, 88, own)
    const client = { clientId: app.id, clientSecret: null }
    const next = (await refresh(service, client, json.refresh_token)).json.refresh_token
    begins(next, 88, own)
    assert.notStrictEqual(next, json.refresh_token)
    const { rows } = await superuser.query("select id from consent_grants where veteran_id = $1", [person.id])
    for (const { id } of rows) carries(id, own)
    assert.lengthOf(rows, 1)
  })

  test("is a part of a name: a link's token and a refresh token with another slot are those of nobody", async () => {
    const other = slot === "AA" ? "AB" : "AA"
    const { token } = await createLink(service, veteran, { documentId })
    for (const changed of [`${other}${token.slice(2)}`, token.slice(2)]) {
      const { json, status } = await step(service, "open", { token: changed })
      assert.deepStrictEqual([status, json.error], [404, "link_not_found"])
    }
    const app = await registerClient(service)
    const { json } = await redeem(service, app, await giveCode(runtime, app, veteran))
    for (const changed of [`${other}${json.refresh_token.slice(2)}`, json.refresh_token.slice(2)]) {
      refused(await refresh(service, app, changed), 400, "invalid_grant")
    }
    assert.strictEqual((await refresh(service, app, json.refresh_token)).status, 200)
  })
})

describe("A name of the time before there were slots", () => {
  test("opens its link, and leads to the document", async () => {
    const link = await oldLink()
    assert.strictEqual((await step(service, "open", { token: link.token })).status, 200)
    const attempt = await challenge(service, link)
    const { json } = await step(service, "otp/verify", { token: link.token, ...attempt })
    begins(json.viewSession, 45)
    assert.strictEqual((await view(service, json.viewSession)).status, 200)
  })

  test("is redeemed as a code, and its refresh tokens are exchanged as long as the grant lives", async () => {
    const app = await registerClient(service)
    const given = await giveCode(runtime, app, veteran, { oldForm: true })
    assert.lengthOf(given.code, 43)
    let { refresh_token } = (await redeem(service, app, given)).json
    for (let n = 0; n < 3; n++) {
      assert.match(refresh_token, /^[\w-]{86}$/)
      refresh_token = (await refresh(service, app, refresh_token)).json.refresh_token
    }
  })
})

test("A request is approved only for the veteran who was shown the page", async () => {
  const [shown, other] = [await registerVeteran(service), await registerVeteran(service)]
  const app = await registerApp(superuser)
  const { browser, page } = await proved(service, app, shown.email)
  const asked = await superuser.query(
    "select hash, cookie_hash from oauth_requests where veteran_id = $1 and ended_at is null",
    [shown.id]
  )
  const { cookie_hash, hash } = asked.rows[0]
  const { rows } = await superuser.query(
    "select * from app.approve_request($1, $2, gen_random_uuid(), null, '{}', 'patient/*.rs', false, 60, $1, 60, 100, 5, $3)",
    [hash, cookie_hash, other.id]
  )
  assert.deepStrictEqual(rows.map(({ status }) => status), ["ended"])
  assert.deepStrictEqual(
    (await superuser.query("select from consent_grants where veteran_id = any ($1)", [[shown.id, other.id]])).rows,
    []
  )
  toldTo(app, await submit(service, "decision", browser, approval(page.text)))
})
