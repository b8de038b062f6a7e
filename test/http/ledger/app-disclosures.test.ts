import { assert, beforeEach, describe, test } from "vitest"
import { verifyInclusion } from "../../../src/services/ledger/ExportedProof.ts"
import { parsePublicKey } from "../../../src/services/ledger/SignedNote.ts"
import { openApp } from "../../support/App.ts"
import {
  askAsApp,
  connectApp,
  readAsApp,
  redeemAgain,
  refreshAsApp,
  registerApp,
  type RegisteredApp
} from "../../support/Apps.ts"
import { giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { revoke } from "../Sharing.ts"
import { kindsOf, readAccount } from "./Account.ts"
import { drain, proofOf, textOf } from "./Drained.ts"

const { database, service } = await openApp()

const owner = await database.connect("superuser")

let veteran: SignedIn

let app: RegisteredApp

beforeEach(async () => {
  veteran = await signInVeteran(service)
  app = await registerApp(owner)
})

const you = () => ({ kind: "veteran", id: veteran.id, name: "Eagle" })

const theApp = () => ({ kind: "app", id: app.id, name: "Blue Sky" })

const told = async () =>
  (await readAccount(service, veteran)).json.items.reverse().map(({ at: _, id: __, treeIndex: ___, ...event }: any) =>
    event
  )

/** Produces every kind of event that an app causes, and returns the events as the veteran reads them. */
const everything = async () => {
  const { cookie, request } = await askAsApp(owner, veteran, app)
  await owner.query("select app.deny_request($1, $2)", [request, cookie])
  const connected = await connectApp(owner, veteran, app)
  await readAsApp(owner, veteran, connected, { Condition: 2, Observation: 0, MedicationRequest: 1 })
  await readAsApp(owner, veteran, connected, { Immunization: 0 })
  assert.strictEqual(await refreshAsApp(owner, app, connected), "rotated")
  assert.strictEqual(await refreshAsApp(owner, app, connected), "replayed")
  const copied = await connectApp(owner, veteran, app)
  assert.strictEqual(await redeemAgain(owner, app, copied), "replayed")
  await readAsApp(owner, veteran, copied, {})
  const [ended, returned] = [await connectApp(owner, veteran, app), await connectApp(owner, veteran, app)]
  await revoke(service, veteran, { id: ended.grantId })
  await owner.query("select app.revoke_app_grant($1, null, $2)", [returned.grantId, app.id])
  const grantId = connected.grantId
  const granted = (grantId: string) => ({
    kind: "oauth_access_granted",
    actor: you(),
    summary: "You let the app “Blue Sky” read your record.",
    grantId
  })
  return [
    {
      kind: "oauth_access_denied",
      actor: you(),
      summary: "You refused the app “Blue Sky”, which had asked to read your record."
    },
    granted(grantId),
    {
      kind: "oauth_access_used",
      actor: theApp(),
      summary: "The app “Blue Sky” read Conditions and Medications.",
      resourceTypes: { Condition: 2, Observation: 0, MedicationRequest: 1 },
      grantId
    },
    {
      kind: "oauth_access_used",
      actor: theApp(),
      summary: "The app “Blue Sky” looked for Immunizations, and found none.",
      resourceTypes: { Immunization: 0 },
      grantId
    },
    {
      kind: "oauth_token_refreshed",
      actor: theApp(),
      summary: "The app “Blue Sky” renewed its access.",
      grantId
    },
    {
      kind: "oauth_refresh_replayed",
      actor: { kind: "service" },
      summary: "An old key of the app “Blue Sky” was used again. Somebody may have copied it, so the access was ended.",
      grantId
    },
    granted(copied.grantId),
    {
      kind: "oauth_code_replayed",
      actor: { kind: "service" },
      summary:
        "The code that connected the app “Blue Sky” was used a second time. Somebody may have copied it, so the access was ended.",
      grantId: copied.grantId
    },
    {
      kind: "oauth_access_used",
      actor: theApp(),
      summary: "The app “Blue Sky” opened your record, and read nothing in it.",
      resourceTypes: {},
      grantId: copied.grantId
    },
    granted(ended.grantId),
    granted(returned.grantId),
    {
      kind: "oauth_access_revoked",
      actor: you(),
      summary: "You ended the access of the app “Blue Sky” to your record.",
      grantId: ended.grantId
    },
    {
      kind: "oauth_access_revoked",
      actor: theApp(),
      summary: "The app “Blue Sky” gave back its access to your record.",
      grantId: returned.grantId
    }
  ]
}

describe("The account of disclosures shows apps", () => {
  test("in plain words, before and after the events are drained, and with a proof for each event", async () => {
    const expected = await everything()
    assert.deepStrictEqual(await told(), expected)
    await drain(service)
    const { rows } = await owner.query("select from proofs where veteran_id = $1 and event is not null", [veteran.id])
    assert.deepStrictEqual(rows, [])
    assert.deepStrictEqual(await told(), expected)
    const key = parsePublicKey(await textOf(service, "/api/proofs/key").then((text) => text.trim()))!
    for (const { actor, grantId, id, kind } of (await readAccount(service, veteran)).json.items) {
      const { json, text } = await proofOf(service, veteran, id)
      assert.match(
        verifyInclusion(text, undefined, key).sentence,
        new RegExp(`^the event ${id} \\(${kind}, .* is number`)
      )
      const leaf = JSON.parse(json.leaf)
      assert.deepStrictEqual([leaf.clientId, leaf.grantId, leaf.actor.id], [app.id, grantId, actor.id])
    }
  })

  test("as rows of CSV", async () => {
    const connected = await connectApp(owner, veteran, app)
    await readAsApp(owner, veteran, connected, { Condition: 2, Observation: 0 })
    const { text } = await readAccount(service, veteran, "?kind=oauth_access_used", { accept: "text/csv" })
    const [, row] = text.split("\r\n")
    assert.strictEqual(
      row!.split(",").slice(2).join(","),
      `oauth_access_used,app,${app.id},Blue Sky,The app “Blue Sky” read Conditions.,` +
        `Condition 2; Observation 0,${connected.grantId},,,`
    )
  })

  test("but not when only one provider's events are requested", async () => {
    const provider = await newProvider(owner)
    await giveGrant(service, veteran, provider)
    await connectApp(owner, veteran, app)
    assert.deepStrictEqual(await kindsOf(service, veteran, `?providerId=${provider.id}`), ["grant_given"])
    assert.deepStrictEqual(await kindsOf(service, veteran, `?kind=oauth_access_granted`), ["oauth_access_granted"])
  })
})
