import { createHash } from "node:crypto"
import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, randomAddress, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { nobody } from "../../support/Formats.ts"
import { giveSessions, recipientCopy } from "../document/Copies.ts"
import { createLink, expire, view } from "../link/Links.ts"
import { download, revokeRelease, sign, signed, upload } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const path = "/api/releases/verify"

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

const ask = (body: unknown, headers: Record<string, string> = {}) => call(service, "POST", path, { body, headers })

/** Returns the answer about an id and a hash, and asserts that its status is 200. */
const verify = async (documentId: string, sha256: string) => {
  const answer = await ask({ documentId, sha256 })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
}

const notGenuine = { genuine: false }

let veteran: SignedIn

let id: string

let signedAt: string

let endsAt: string

let own: string

let recipients: string

beforeEach(async () => {
  veteran = await signInVeteran(service)
  const { document } = await signed(service, veteran)
  id = document.id
  signedAt = document.signedAt
  endsAt = document.release.endsAt
  own = sha256Of((await download(service, veteran, `/api/veteran/me/documents/${id}/content`)).bytes)
  recipients = sha256Of(await recipientCopy(service, superuser, id))
})

const bothCopies = async () => [await verify(id, own), await verify(id, recipients)]

const genuine = (status: string, end = endsAt) =>
  ["veteran", "recipient"].map((copy) => ({ genuine: true, copy, status, signedAt, endsAt: end }))

describe("POST /api/releases/verify", () => {
  test("tells anybody which copy a file is, and the state of the release", async () => {
    assert.notStrictEqual(own, recipients)
    assert.deepStrictEqual(await bothCopies(), genuine("in_force"))
    assert.deepStrictEqual(await verify(id.toUpperCase(), own.toUpperCase()), genuine("in_force")[0])
    const answer = await ask({ documentId: id, sha256: own })
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  })

  test("reports a revoke immediately", async () => {
    assert.strictEqual((await revokeRelease(service, veteran, id)).status, 200)
    assert.deepStrictEqual(await bothCopies(), genuine("revoked"))
  })

  test("reports immediately that another release superseded this release", async () => {
    assert.strictEqual((await sign(service, veteran, { supersedes: id })).status, 201)
    assert.deepStrictEqual(await bothCopies(), genuine("superseded"))
  })

  test("reports a release that has expired", async () => {
    await expire(superuser, "documents.ends_at", id)
    const { rows: [row] } = await superuser.query("select ends_at from documents where id = $1", [id])
    assert.deepStrictEqual(await bothCopies(), genuine("expired", row.ends_at.toISOString()))
  })

  test("reports a release as revoked if its veteran deleted it after a recipient had viewed it", async () => {
    const link = await createLink(service, veteran, { documentId: id })
    assert.strictEqual((await view(service, (await giveSessions(service, superuser, [link]))[0]!)).status, 200)
    const deleted = await call(service, "DELETE", `/api/veteran/me/documents/${id}`, { headers: veteran.headers })
    assert.strictEqual(deleted.status, 204)
    assert.deepStrictEqual(await bothCopies(), genuine("revoked"))
  })

  test("reports a release as not genuine if its veteran deleted it before any recipient had viewed it", async () => {
    assert.strictEqual((await revokeRelease(service, veteran, id)).status, 200)
    await call(service, "DELETE", `/api/veteran/me/documents/${id}`, { headers: veteran.headers })
    assert.deepStrictEqual(await bothCopies(), [notGenuine, notGenuine])
  })

  test("answers that any other pair of an id and a hash is not genuine", async () => {
    const another = (await signed(service, await signInVeteran(service))).document
    const uploaded = (await upload(service, veteran, "text")).json
    const { rows: [{ record }] } = await superuser.query(
      "select encode(record_sha256, 'hex') as record from documents where id = $1",
      [id]
    )
    const pairs = [
      ["an unknown id", nobody, own],
      ["a wrong hash", id, "0".repeat(64)],
      ["another release's hash", id, another.sha256],
      ["a hash with another release's id", another.id, own],
      ["the veteran's id", veteran.id, own],
      ["an upload", uploaded.id, uploaded.sha256],
      ["the record, which is no copy of the release", id, record],
      ["the hash of the authorization", id, another.release.authorizationSha256]
    ] as const
    for (const [what, documentId, sha256] of pairs) {
      assert.deepStrictEqual([what, await verify(documentId, sha256)], [what, notGenuine])
    }
  })

  test("refuses a malformed id, hash or body", async () => {
    const bodies: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
      [{}, ["documentId", "sha256"]],
      [{ documentId: "me", sha256: own }, ["documentId"]],
      [{ documentId: ` ${id}`, sha256: own }, ["documentId"]],
      [{ documentId: id, sha256: own.slice(1) }, ["sha256"]],
      [{ documentId: id, sha256: `${own}0` }, ["sha256"]],
      [{ documentId: id, sha256: `${own.slice(1)}g` }, ["sha256"]],
      [{ documentId: id, sha256: `${own}\n` }, ["sha256"]],
      [{ documentId: id, sha256: null }, ["sha256"]],
      [{ documentId: [id], sha256: Buffer.from(own, "hex").toString("base64") }, ["documentId", "sha256"]],
      [{ documentId: id, sha256: own, veteranId: veteran.id }, ["veteranId"]]
    ]
    for (const [body, paths] of bodies) {
      const { json, status } = await ask(body)
      assert.deepStrictEqual([status, json.error], [400, "invalid_request"])
      assert.deepStrictEqual(
        json.issues.map(({ path }: { path: ReadonlyArray<string> }) => path.join(".")).sort(),
        paths
      )
    }
    const long = await ask({ documentId: id, sha256: own, more: "x".repeat(4096) })
    assert.deepStrictEqual([long.status, long.json.error], [413, "payload_too_large"])
  })

  test("leaves neither id, hash nor address in the log", async () => {
    const address = randomAddress()
    for (const sha256 of [own, recipients, "nonsense"]) {
      await ask({ documentId: id, sha256 }, { "x-forwarded-for": address })
    }
    await call(service, "GET", path, { headers: { "x-forwarded-for": address } })
    const output = service.output()
    assert.include(output, path)
    for (const said of [own, recipients, address, "nonsense"]) assert.notInclude(output, said)
    assert.notInclude(output, id)
  })
})
