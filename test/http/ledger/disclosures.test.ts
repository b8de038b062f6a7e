import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { challenge, createLink, revokeLink, step, view, wrong } from "../link/Links.ts"
import { download, upload } from "../release/Releases.ts"
import { readPatientRecord, revoke, writeNote } from "../Sharing.ts"
import { kindsOf, readAccount, withinOneMinute } from "./Account.ts"
import { holdTree } from "./Drained.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const holder = await database.connect("superuser")

const provider = await newProvider(superuser)

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
  return holdTree(holder)
})

const account = async (query = "?limit=200") => {
  const answer = await readAccount(service, veteran, query)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.items
}

/** All members of an event except its id and time, whose form is checked. */
const told = ({ at, id, ...event }: any) => {
  assert.match(at, instant)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  return event
}

const you = () => ({ kind: "veteran", id: veteran.id, name: "Eagle" })

const ada = () => ({ kind: "provider", id: provider.id, name: "Dr. Ada Gray, Gray Clinic" })

const jane = { kind: "recipient", name: "Jane Gray" }

describe("GET /api/veteran/{veteranId}/disclosures", () => {
  test("is empty for a veteran without any event", async () => {
    const { json, status } = await readAccount(service, veteran)
    assert.deepStrictEqual([status, json], [200, { items: [], nextCursor: null }])
  })

  test("shows a sync, a grant, a view, a note and a revocation in plain words, the newest first", async () => {
    await sync(
      service,
      veteran,
      { Condition: "complete", MedicationRequest: "complete", Immunization: "unavailable" },
      {
        Condition: [resource("Condition", "c1"), resource("Condition", "c2")],
        MedicationRequest: [resource("MedicationRequest", "m1")]
      }
    )
    const grant = await giveGrant(service, veteran, provider)
    await readPatientRecord(service, provider, veteran)
    await writeNote(service, provider, veteran, { text: "Seen today." })
    await revoke(service, veteran, grant)
    assert.deepStrictEqual((await account()).map(told), [
      {
        kind: "grant_revoked",
        actor: you(),
        summary: "You ended a permission of Dr. Ada Gray, Gray Clinic, to read your record.",
        grantId: grant.id,
        treeIndex: null
      },
      {
        kind: "note_written",
        actor: ada(),
        summary: "Dr. Ada Gray, Gray Clinic, wrote a note about you.",
        treeIndex: null
      },
      {
        kind: "record_viewed",
        actor: ada(),
        summary: "Dr. Ada Gray, Gray Clinic, looked at Conditions and Medications.",
        resourceTypes: { Condition: 2, MedicationRequest: 1 },
        grantId: grant.id,
        treeIndex: null
      },
      {
        kind: "grant_given",
        actor: you(),
        summary: "You let Dr. Ada Gray, Gray Clinic, read your record.",
        grantId: grant.id,
        treeIndex: null
      },
      {
        kind: "sync_stored",
        actor: you(),
        summary: "Your phone synchronised Conditions, Immunizations, and Medications.",
        resourceTypes: { Condition: 2, Immunization: 0, MedicationRequest: 1 },
        treeIndex: null
      }
    ])
  })

  test("shows an upload and each person who opened it", async () => {
    const { json: { id } } = await upload(service, veteran, "text", "letter.txt")
    const grant = await giveGrant(service, veteran, provider)
    await download(service, provider, `/api/provider/patients/${veteran.id}/documents/${id}/content`)
    await download(service, veteran, `/api/veteran/me/documents/${id}/content`)
    const [own, theirs, , stored] = (await account()).map(told)
    assert.deepStrictEqual([stored, theirs, own], [
      {
        kind: "document_stored",
        actor: you(),
        summary: "You stored “letter.txt”.",
        documentId: id,
        treeIndex: null
      },
      {
        kind: "document_read",
        actor: ada(),
        summary: "Dr. Ada Gray, Gray Clinic, opened “letter.txt”.",
        grantId: grant.id,
        documentId: id,
        treeIndex: null
      },
      { kind: "document_read", actor: you(), summary: "You opened “letter.txt”.", documentId: id, treeIndex: null }
    ])
    await call(service, "DELETE", `/api/veteran/me/documents/${id}`, { headers: veteran.headers })
    assert.strictEqual((await account())[0].summary, "You opened a document that is no longer there.")
  })

  test("shows a release, its link, each step of the recipient including failed codes, and the link's end", async () => {
    const link = await createLink(service, veteran)
    await step(service, "open", { token: link.token })
    const attempt = await challenge(service, link)
    await step(service, "otp/verify", { token: link.token, ...wrong(attempt) })
    const { json: { viewSession } } = await step(service, "otp/verify", { token: link.token, ...attempt })
    await view(service, viewSession)
    await revokeLink(service, veteran, link)
    const title = "“Release of information to Dr. Ada Gray”"
    const about = { documentId: link.documentId, linkId: link.id, treeIndex: null }
    assert.deepStrictEqual((await account()).map(told).reverse(), [
      {
        kind: "roi_signed",
        actor: you(),
        summary: `You signed ${title}.`,
        documentId: link.documentId,
        treeIndex: null
      },
      { kind: "link_created", actor: you(), summary: `You made a link for Jane Gray to ${title}.`, ...about },
      {
        kind: "link_opened",
        actor: jane,
        summary: "The link for Jane Gray was opened; nothing was shown yet.",
        ...about
      },
      { kind: "link_code_sent", actor: jane, summary: "A one-time code was mailed to Jane Gray.", ...about },
      {
        kind: "link_code_failed",
        actor: jane,
        summary: "A wrong or expired code was tried on the link for Jane Gray.",
        ...about
      },
      {
        kind: "link_viewed",
        actor: jane,
        summary: `Jane Gray viewed ${title} by link and code.`,
        via: "page",
        ...about
      },
      { kind: "link_revoked", actor: you(), summary: "You ended the link for Jane Gray.", ...about }
    ])
  })

  test("shows a link that ended because of wrong codes, and links that ended with their release", async () => {
    const link = await createLink(service, veteran)
    await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [link.id])
    await step(service, "otp/verify", { token: link.token, ...wrong(await challenge(service, link)) })
    assert.deepStrictEqual(told((await account())[0]), {
      kind: "link_revoked",
      actor: { kind: "service" },
      summary: "The link for Jane Gray was ended after too many wrong codes.",
      documentId: link.documentId,
      linkId: link.id,
      treeIndex: null
    })
    const other = await createLink(service, veteran, { documentId: link.documentId })
    await call(service, "POST", `/api/veteran/me/roi/${other.documentId}/revoke`, { headers: veteran.headers })
    const { actor, kind, linkId } = (await account())[0]
    assert.deepStrictEqual([kind, actor, linkId], ["link_revoked", you(), other.id])
  })

  test("says that the operator ended a link, where they asked for the deletion of the record", async () => {
    await createLink(service, veteran)
    await call(service, "POST", `/api/admin/veterans/${veteran.id}/deletion`, {
      headers: asAdmin,
      body: { reason: "ticket 1" }
    })
    const ofLink = (await account()).find(({ kind }: { kind: string }) => kind === "link_revoked")
    assert.deepStrictEqual(
      [ofLink.actor, ofLink.summary, ofLink.how],
      [{ kind: "service" }, "The operator ended the link for Jane Gray.", "operator"]
    )
  })

  test("has no event for requests that were refused or changed nothing", async () => {
    const grant = await giveGrant(service, veteran, provider)
    const other = await newProvider(superuser)
    await readPatientRecord(service, other, veteran)
    await writeNote(service, other, veteran, { text: "Not allowed." })
    await revoke(service, veteran, grant)
    await revoke(service, veteran, grant)
    await readPatientRecord(service, provider, veteran)
    await download(service, provider, `/api/provider/patients/${veteran.id}/documents/${grant.id}/content`)
    const link = await createLink(service, veteran)
    await revokeLink(service, veteran, link)
    await revokeLink(service, veteran, link)
    await step(service, "open", { token: link.token })
    assert.deepStrictEqual(await kindsOf(service, veteran), [
      "grant_given",
      "grant_revoked",
      "roi_signed",
      "link_created",
      "link_revoked"
    ])
  })
})

describe("One row per minute in the account of disclosures", () => {
  test("covers all pages that a provider views, except those with a type that the row does not name", async () => {
    await sync(service, veteran, { Condition: "complete", Observation: "complete" }, {
      Condition: ["c1", "c2", "c3"].map((id) => resource("Condition", id)),
      Observation: ["o1"].map((id) => resource("Observation", id))
    })
    await giveGrant(service, veteran, provider)
    await withinOneMinute()
    const { json } = await readPatientRecord(service, provider, veteran, "?limit=1&resourceType=Condition")
    const cursor = json.sections[0].nextCursor
    await readPatientRecord(service, provider, veteran, `?limit=1&resourceType=Condition&cursor=${cursor}`)
    const views = () => account("?kind=record_viewed")
    assert.deepStrictEqual((await views()).map((event: any) => event.resourceTypes), [{ Condition: 3 }])
    await readPatientRecord(service, provider, veteran)
    await readPatientRecord(service, provider, veteran, "?resourceType=Observation")
    assert.deepStrictEqual((await views()).map((event: any) => event.resourceTypes), [
      { Condition: 3, Observation: 1 },
      { Condition: 3 }
    ])
    // A view under another grant, or in another minute, is a separate event.
    await giveGrant(service, veteran, provider)
    await readPatientRecord(service, provider, veteran)
    await superuser.query("update acts_noted set minute = minute - interval '1 minute' where veteran_id = $1", [
      veteran.id
    ])
    await readPatientRecord(service, provider, veteran)
    assert.strictEqual((await views()).length, 4)
  })

  test("is written by only one of twenty parallel views", async () => {
    await giveGrant(service, veteran, provider)
    await withinOneMinute(10)
    await Promise.all(Array.from({ length: 20 }, () => readPatientRecord(service, provider, veteran)))
    assert.strictEqual((await account("?kind=record_viewed")).length, 1)
  })

  test("covers repeated opens of a link, and attempts before a code was requested", async () => {
    const link = await createLink(service, veteran)
    await withinOneMinute(10)
    for (const _ of [1, 2, 3]) {
      await step(service, "open", { token: link.token })
      await step(service, "otp/verify", { token: link.token, challengeId: link.id, code: "12345678" })
    }
    assert.deepStrictEqual(await kindsOf(service, veteran), [
      "roi_signed",
      "link_created",
      "link_opened",
      "link_code_failed"
    ])
  })
})
