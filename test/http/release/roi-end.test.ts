import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { expire } from "../link/Links.ts"
import { documentOf, revokeRelease, sign, signed, upload } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const revoke = (id: string) => revokeRelease(service, veteran, id)

describe("A release", () => {
  test("is revoked immediately and permanently, and a second revoke changes nothing", async () => {
    const { document } = await signed(service, veteran)
    const first = await revoke(document.id)
    assert.strictEqual(first.status, 200)
    assert.strictEqual(first.json.release.status, "revoked")
    const again = await revoke(document.id)
    assert.deepStrictEqual([again.status, again.json], [200, first.json])
    assert.deepStrictEqual(await documentOf(service, veteran, document.id), first.json)
    assert.deepStrictEqual({ ...first.json, release: document.release }, document)
  })

  test("is superseded by a release that names it, but only while it is in force", async () => {
    const old = (await signed(service, veteran)).document
    const [one, other] = await Promise.all([
      sign(service, veteran, { supersedes: old.id }),
      sign(service, veteran, { supersedes: old.id })
    ])
    const winner = [one, other].find(({ status }) => status === 201)!
    const loser = [one, other].find(({ status }) => status !== 201)!
    // 400: the old release had ended before this request. 409: it ended while this request made its document.
    assert.include([400, 409], loser.status)
    const { release: ended } = await documentOf(service, veteran, old.id)
    assert.deepStrictEqual([ended.status, ended.supersededBy], ["superseded", winner.json.document.id])
    assert.strictEqual((await revoke(old.id)).status, 409)
    const late = await sign(service, veteran, { supersedes: old.id })
    assert.deepStrictEqual(late.json.issues, [
      { path: ["supersedes"], message: "45 CFR 164.508(b)(5): Expected a release of yours that is in force" }
    ])
  })

  test("expires at the end of its last day, by the database's clock", async () => {
    const { document } = await signed(service, veteran)
    await expire(superuser, "documents.ends_at", document.id)
    assert.strictEqual((await documentOf(service, veteran, document.id)).release.status, "expired")
    assert.deepStrictEqual([
      (await revoke(document.id)).status,
      (await sign(service, veteran, {
        supersedes: document.id
      })).status
    ], [409, 400])
    const removed = await call(service, "DELETE", `/api/veteran/me/documents/${document.id}`, {
      headers: veteran.headers
    })
    assert.strictEqual(removed.status, 204)
  })

  test("is all that can be revoked: an upload cannot", async () => {
    const answer = await revoke((await upload(service, veteran, "text")).json.id)
    assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"])
  })

  test("is protected by the database against any change of what was signed", async () => {
    const { document } = await signed(service, veteran)
    const owner = await database.connect("owner")
    await owner.query("alter table documents no force row level security")
    for (
      const change of [
        "title = title",
        "storage_key = storage_key",
        "ends_at = now() + interval '1 year'",
        "signed_at = null",
        "kind = 'upload'",
        "recipient_sha256 = sha256",
        "veteran_id = veteran_id"
      ]
    ) {
      const refused = await owner.query(`update documents set ${change} where id = $1`, [document.id]).then(
        () => "changed",
        ({ message }) => message
      )
      assert.strictEqual(refused, "a signed document does not change", change)
    }
    const removed = await owner.query("delete from documents where id = $1", [document.id]).then(
      () => "removed",
      ({ message }) => message
    )
    assert.strictEqual(removed, "a release in force is not deleted")
    await owner.query("alter table documents force row level security")
  })
})
