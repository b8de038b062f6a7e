import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { createLink, step } from "../link/Links.ts"
import { signed, upload } from "../release/Releases.ts"
import { readPatientRecord, revoke } from "../Sharing.ts"
import { kindsOf, readAccount } from "./Account.ts"
import { drain } from "./Drained.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const provider = await newProvider(superuser)

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const account = async (query = "?limit=200") => (await readAccount(service, veteran, query)).json.items

describe("Filters and pages of the account of disclosures", () => {
  test("select events by kind, provider and time", async () => {
    const other = await newProvider(superuser)
    const first = await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, other)
    await readPatientRecord(service, provider, veteran)
    await revoke(service, veteran, first)
    const of = (query: string) => kindsOf(service, veteran, query)
    assert.deepStrictEqual(await of("?kind=grant_given"), ["grant_given", "grant_given"])
    assert.deepStrictEqual(await of(`?providerId=${provider.id}`), ["grant_given", "record_viewed", "grant_revoked"])
    assert.deepStrictEqual(await of(`?providerId=${other.id.toUpperCase()}`), ["grant_given"])
    assert.deepStrictEqual(await of(`?providerId=${provider.id}&kind=record_viewed`), ["record_viewed"])
    const [last, viewed] = await account()
    assert.deepStrictEqual(await of(`?from=${viewed.at}&to=${viewed.at}`), ["record_viewed"])
    assert.deepStrictEqual(await of(`?from=${last.at}`), ["grant_revoked"])
    const day = last.at.slice(0, 10)
    assert.include(await of(`?from=${day}&to=${day}`), "grant_revoked")
    assert.deepStrictEqual(await of("?to=2020-01-01"), [])
  })

  test("select events of several kinds, and every look by one word", async () => {
    const grant = await giveGrant(service, veteran, provider)
    await readPatientRecord(service, provider, veteran)
    const of = (query: string) => kindsOf(service, veteran, query)
    assert.deepStrictEqual(await of("?kind=grant_given,record_viewed"), ["grant_given", "record_viewed"])
    assert.deepStrictEqual(await of("?about=looks"), ["record_viewed"])
    assert.deepStrictEqual(await of("?about=looks&kind=grant_given"), [])
    assert.deepStrictEqual(await of(`?about=looks&grantId=${grant.id}`), ["record_viewed"])
  })

  test("select events by grant, document and link, before and after they are sealed", async () => {
    const [first, second] = [await giveGrant(service, veteran, provider), await giveGrant(service, veteran, provider)]
    await revoke(service, veteran, second)
    const { json: file } = await upload(service, veteran, "text", "one.txt")
    await upload(service, veteran, "text", "two.txt")
    const link = await createLink(service, veteran)
    await step(service, "open", { token: link.token })
    const of = (query: string) => kindsOf(service, veteran, query)
    const told = async () => [
      await of(`?grantId=${first.id}`),
      await of(`?grantId=${second.id.toUpperCase()}`),
      await of(`?documentId=${file.id}`),
      await of(`?linkId=${link.id}`),
      await of(`?linkId=${link.id}&kind=link_opened`),
      await of(`?linkId=${link.id}&grantId=${first.id}`),
      await of(`?linkId=${link.id}&documentId=${link.documentId}`),
      await of(`?clientId=${first.id}`)
    ]
    const expected = [
      ["grant_given"],
      ["grant_given", "grant_revoked"],
      ["document_stored"],
      ["link_created", "link_opened"],
      ["link_opened"],
      [],
      ["link_created", "link_opened"],
      []
    ]
    assert.deepStrictEqual(await told(), expected)
    await drain(service)
    assert.deepStrictEqual(await told(), expected)
    // As rows are that were sealed before events had hashes of their subjects.
    await superuser.query("update proofs set subject_hashes = null where veteran_id = $1", [veteran.id])
    assert.deepStrictEqual(await told(), expected)
  })

  test("refuse a wrong parameter and name it", async () => {
    const wrong = [
      ["?kind=", "kind"],
      ["?kind=record_viewed,", "kind"],
      ["?about=grants", "about"],
      ["?grantId=x", "grantId"],
      ["?linkId=x", "linkId"],
      ["?documentId=x", "documentId"],
      ["?clientId=x", "clientId"],
      ["?kind=looked", "kind"],
      ["?providerId=x", "providerId"],
      ["?from=yesterday", "from"],
      ["?to=2026-02-30", "to"],
      ["?until=2026-02-03", "until"]
    ]
    for (const [query, place] of wrong) {
      const { json, status } = await readAccount(service, veteran, query)
      assert.deepStrictEqual([query, status, json.error, json.issues[0].path], [query, 400, "invalid_request", [place]])
    }
  })

  test("refuse the cursor of a list with other filters", async () => {
    for (const _ of [1, 2]) await giveGrant(service, veteran, provider)
    const { json: { nextCursor } } = await readAccount(service, veteran, "?limit=1")
    const other = await readAccount(service, veteran, `?limit=1&kind=grant_given&cursor=${nextCursor}`)
    assert.deepStrictEqual([other.status, other.json.issues[0].path], [400, ["cursor"]])
  })
})

describe("The account of disclosures as CSV", () => {
  const csv = (query = "") => readAccount(service, veteran, query, { accept: "text/csv" })

  test("has the same events, one on each line", async () => {
    const grant = await giveGrant(service, veteran, provider)
    await upload(service, veteran, "text", "say \"ah\".txt")
    const { headers, status, text } = await csv()
    const [stored, given] = await account()
    assert.deepStrictEqual([status, headers.get("content-type"), headers.get("content-disposition")], [
      200,
      "text/csv; charset=utf-8",
      "attachment; filename=\"disclosures.csv\""
    ])
    assert.strictEqual(headers.get("link"), null)
    assert.deepStrictEqual(text.split("\r\n"), [
      "id,at,kind,actor_kind,actor_id,actor_name,summary,resource_types,grant_id,document_id,link_id,tree_index",
      `${stored.id},${stored.at},document_stored,veteran,${veteran.id},Eagle,"You stored “say ""ah"".txt”.",,,${stored.documentId},,`,
      `${given.id},${given.at},grant_given,veteran,${veteran.id},Eagle,"You let Dr. Ada Gray, Gray Clinic, read your record.",,${grant.id},,,`,
      ""
    ])
  })

  test("escapes a formula in a name", async () => {
    const names = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)"]
    const documentId = (await signed(service, veteran)).document.id
    for (const recipientName of names) {
      const link = await createLink(service, veteran, { documentId, recipientName })
      await step(service, "open", { token: link.token })
    }
    const { text } = await csv("?kind=link_opened")
    const told = text.trimEnd().split("\r\n").slice(1).map((line) => line.split(",")[5])
    assert.deepStrictEqual(told, names.map((name) => `'${name}`).reverse())
  })

  test("names the next page in its link header", async () => {
    for (const _ of [1, 2, 3]) await giveGrant(service, veteran, provider)
    const first = await csv("?limit=2&kind=grant_given")
    const next = /^<(?<url>[^>]+)>; rel="next"$/.exec(first.headers.get("link")!)!.groups!["url"]!
    const second = await call(service, "GET", next, { headers: { ...veteran.headers, accept: "text/csv" } })
    assert.deepStrictEqual([first, second].map(({ text }) => text.trimEnd().split("\r\n").length), [3, 2])
    assert.strictEqual(second.headers.get("link"), null)
  })
})
