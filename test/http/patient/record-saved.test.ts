import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { readAccount, withinOneMinute } from "../ledger/Account.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const provider = await newProvider(superuser)

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const save = (by: SignedIn = provider) =>
  call(service, "POST", `/api/provider/patients/${veteran.id}/record/saved`, { headers: by.headers })

const saved = async () => (await readAccount(service, veteran, "?kind=record_saved")).json.items

describe("POST /api/provider/patients/{veteranId}/record/saved", () => {
  test("tells the veteran who saved a copy, under which grant, and how many items of each type it shows", async () => {
    const grant = await giveGrant(service, veteran, provider)
    await sync(service, veteran, { Condition: "complete", Goal: "empty" }, {
      Condition: [resource("Condition", "a"), resource("Condition", "b")]
    })
    const answer = await save()
    assert.deepStrictEqual([answer.status, answer.text], [204, ""])
    const [{ actor, grantId, resourceTypes, summary }, ...others] = await saved()
    assert.deepStrictEqual({ actor, grantId, resourceTypes, summary, others: others.length }, {
      actor: { kind: "provider", id: provider.id, name: "Dr. Ada Gray, Gray Clinic" },
      grantId: grant.id,
      resourceTypes: { Condition: 2 },
      summary: "Dr. Ada Gray, Gray Clinic, saved a copy of Conditions.",
      others: 0
    })
  })

  test("counts nothing that is withheld or that the grant leaves out", async () => {
    await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    await sync(service, veteran, { Condition: "complete", Goal: "complete" }, {
      Condition: [resource("Condition", "a"), resource("Condition", "h", { categories: ["hiv"] })],
      Goal: [resource("Goal", "g")]
    })
    await save()
    assert.deepStrictEqual((await saved())[0].resourceTypes, { Condition: 1 })
    const other = await newProvider(superuser)
    await giveGrant(service, veteran, other, { resourceTypes: ["Procedure"] })
    await save(other)
    const [{ resourceTypes, summary }] = await saved()
    assert.deepStrictEqual([resourceTypes, summary], [{}, "Dr. Ada Gray, Gray Clinic, saved a copy without items."])
  })

  test("is one row in the account per minute and grant", async () => {
    await giveGrant(service, veteran, provider)
    await withinOneMinute(10)
    await Promise.all(Array.from({ length: 10 }, () => save()))
    assert.lengthOf(await saved(), 1)
    await superuser.query("update acts_noted set minute = minute - interval '1 minute' where veteran_id = $1", [
      veteran.id
    ])
    await save()
    assert.lengthOf(await saved(), 2)
  })
})
