import { assert, beforeEach, describe, test } from "vitest"
import { call, signInVeteran } from "../../support/Client.ts"
import { uuid } from "../../support/Formats.ts"
import { letPermitsAge } from "../../support/Permits.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { revokeRelease, signed, upload } from "../release/Releases.ts"
import {
  type AppLink,
  askManifest,
  codeFor,
  createAppLink,
  decrypted,
  mailedCode,
  payloadOf,
  takeFile
} from "./AppLinks.ts"
import { challenge, createLink, expire, listLinks, revokeLink, step, view, waitForNextCode, wrong } from "./Links.ts"

const { database, service } = await openJudgedApp()

const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)

const documentId: string = (await signed(service, veteran)).document.id

let link: AppLink

beforeEach(async () => {
  // Each link has another address, and a veteran may name 20 new ones in a day.
  await letPermitsAge(superuser, 24)
  link = await createAppLink(service, veteran, { documentId })
})

const ask = (body: unknown = {}) => askManifest(service, link, body)

const listed = async () => (await listLinks(service, veteran))[0]

const proofs = async () => {
  const { json } = await call(service, "GET", `/api/veteran/me/disclosures?linkId=${link.id}`, {
    headers: veteran.headers
  })
  return json.items.map(({ kind, summary }: { kind: string; summary: string }) => [kind, summary])
}

const notThere = { error: "not_found", message: "There is no such resource." }

const bodyOf = ({ json }: { readonly json: any }): Record<string, unknown> => {
  const { requestId, ...body } = json
  assert.match(requestId, uuid)
  return body
}

describe("POST /secure-links with smartHealthLink", () => {
  test("tells a link whose payload has the address, the key, the end, the flag and the label", async () => {
    const created = await call(service, "POST", "/api/veteran/me/secure-links", {
      headers: veteran.headers,
      body: { documentId, recipientName: "Jane", recipientEmail: "jane@clinic.example", smartHealthLink: true }
    })
    assert.strictEqual(created.status, 201, created.text)
    const { link, shlink, url } = created.json
    assert.strictEqual(url, `http://localhost:8081/link#${shlink}`)
    assert.match(shlink, /^shlink:\/[\w-]+$/)
    const payload = payloadOf(shlink)
    assert.deepStrictEqual(Object.keys(payload), ["url", "key", "exp", "flag", "label"])
    assert.match(payload.url, /\/api\/shl\/[\w-]{43}$/)
    assert.isAtMost(payload.url.length, 128)
    assert.match(payload.key, /^[\w-]{43}$/)
    assert.strictEqual(payload.exp, Math.floor(Date.parse(link.expiresAt) / 1000))
    assert.strictEqual(payload.flag, "P")
    assert.strictEqual(payload.label, "Shared health record")
    assert.isTrue(link.smartHealthLink)
    assert.isNull(link.viewedVia)
    assert.isNull(link.claimedRecipient)
  })

  test("derives the page's token and the manifest's id from the key, and the page goes on as before", async () => {
    const opened = await step(service, "open", { token: link.token })
    assert.strictEqual(opened.status, 200, opened.text)
    const answer = await step(service, "otp/verify", { token: link.token, ...await challenge(service, link) })
    const { bytes, status } = await view(service, answer.json.viewSession)
    assert.strictEqual(status, 200)
    assert.strictEqual(bytes.subarray(0, 5).toString(), "%PDF-")
    assert.deepInclude(await listed(), { smartHealthLink: true, viewedVia: "page", claimedRecipient: null })
  })

  test("a link without it has no shlink, no manifest and the token in its fragment", async () => {
    const plain = await createLink(service, veteran, { documentId })
    assert.match(plain.url, /^http:\/\/localhost:8081\/link#[\w-]{45}$/)
    assert.isFalse((await listed()).smartHealthLink)
  })

  test("refuses what is no release, and leaves neither link nor file", async () => {
    const document = (await upload(service, veteran, "a letter")).json
    const created = await call(service, "POST", "/api/veteran/me/secure-links", {
      headers: veteran.headers,
      body: {
        documentId: document.id,
        recipientName: "Jane",
        recipientEmail: "jane@clinic.example",
        smartHealthLink: true
      }
    })
    assert.strictEqual(created.status, 409)
    assert.strictEqual(created.json.error, "conflict")
    assert.strictEqual((await listed()).id, link.id)
  })
})

describe("POST /api/shl/{manifestId}", () => {
  test("mails a code while none is out and counts no try, and gives the bundle for the code once", async () => {
    const first = await ask()
    assert.strictEqual(first.status, 401)
    const { message, ...refusal } = bodyOf(first)
    assert.deepStrictEqual(refusal, { error: "otp_invalid", remainingAttempts: 15 })
    assert.include(`${message}`, "on its way")
    const passcode = await mailedCode(service, link)

    const missing = await ask()
    assert.strictEqual(missing.status, 401)
    assert.strictEqual(missing.json.remainingAttempts, 15)

    const answer = await ask({ passcode, unheardOf: [1] })
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const { files, ...rest } = answer.json
    assert.deepStrictEqual(rest, {})
    assert.lengthOf(files, 1)
    const { embedded, lastUpdated, ...file } = files[0]
    assert.deepStrictEqual(file, {
      contentType: "application/fhir+json",
      fhirVersion: "4.0.1",
      status: "finalized"
    })
    assert.strictEqual(new Date(lastUpdated).toISOString(), lastUpdated)
    const { bundle, protectedHeader } = await decrypted(embedded, link.key)
    assert.deepStrictEqual(protectedHeader, { alg: "dir", enc: "A256GCM", cty: "application/fhir+json" })
    assert.strictEqual(bundle.resourceType, "Bundle")
    assert.strictEqual(bundle.type, "collection")
    assert.deepStrictEqual(
      bundle.entry.slice(0, 4).map(({ resource }: any) => resource.resourceType),
      ["Patient", "DocumentReference", "Consent", "Provenance"]
    )

    const again = await ask({ passcode })
    assert.strictEqual(again.status, 401)
    assert.strictEqual(again.json.remainingAttempts, 15)
    assert.include(again.json.message, "on its way")
    assert.deepInclude(await listed(), { viewedVia: "app", claimedRecipient: "Gray Clinic" })
  })

  test("counts a wrong code before it compares it, and not the code that is sent while none is out", async () => {
    assert.strictEqual((await ask({ passcode: "12345678" })).json.remainingAttempts, 15)
    const passcode = await mailedCode(service, link)
    const refused = await ask(wrong({ code: passcode, passcode: wrong({ code: passcode }).code }))
    assert.strictEqual(refused.status, 401)
    assert.strictEqual(refused.json.remainingAttempts, 14)
    assert.strictEqual((await ask({ passcode: `${passcode.slice(0, 4)} ${passcode.slice(4)}` })).status, 200)
  })

  test("mails nothing too early, and says the same 401", async () => {
    const passcode = await codeFor(service, link)
    assert.strictEqual((await ask({ passcode })).status, 200)
    const early = await ask()
    assert.strictEqual(early.status, 401)
    assert.deepStrictEqual(Object.keys(bodyOf(early)).sort(), ["error", "message", "remainingAttempts"])
    assert.strictEqual(await mailedCode(service, link), passcode)
    await waitForNextCode(superuser, link)
    const later = await ask()
    assert.strictEqual(later.status, 401)
    const next = await mailedCode(service, link)
    assert.notStrictEqual(next, passcode)
    assert.strictEqual((await ask({ passcode: next })).status, 200)
  })

  test("the code works on page or app, once in all", async () => {
    const onPage = await challenge(service, link)
    assert.strictEqual((await ask({ passcode: onPage.code })).status, 200)
    const used = await step(service, "otp/verify", { token: link.token, ...onPage })
    assert.strictEqual(used.status, 401)
    await waitForNextCode(superuser, link)
    const next = await challenge(service, link)
    assert.strictEqual((await step(service, "otp/verify", { token: link.token, ...next })).status, 200)
    assert.strictEqual((await ask({ passcode: next.code })).status, 401)
  })

  test("gives a larger file by an address, once and within five minutes, to GET alone", async () => {
    const answer = await ask({ passcode: await codeFor(service, link), embeddedLengthMax: 100 })
    assert.strictEqual(answer.status, 200, answer.text)
    const { location, ...file } = answer.json.files[0]
    assert.notProperty(file, "embedded")
    assert.strictEqual(location.startsWith(`${link.payload["url"]}/files/`), true)
    const path = `${service.url}${new URL(location).pathname}`
    assert.isNull((await listed()).viewedAt)
    assert.strictEqual((await takeFile(path, "HEAD")).status, 404)
    const taken = await takeFile(path)
    assert.strictEqual(taken.status, 200)
    assert.strictEqual(taken.headers.get("content-type"), "application/jose")
    assert.strictEqual(taken.headers.get("access-control-allow-origin"), "*")
    assert.strictEqual((await decrypted(taken.text, link.key)).bundle.resourceType, "Bundle")
    assert.strictEqual((await listed()).viewedVia, "app")
    const again = await takeFile(path)
    assert.deepInclude(JSON.parse(again.text), notThere)
  })

  test("an address lapses after five minutes, and belongs to its own link", async () => {
    const answer = await ask({ passcode: await codeFor(service, link), embeddedLengthMax: 0 })
    const ticket = answer.json.files[0].location.split("/").at(-1)
    const other = await createAppLink(service, veteran, { documentId })
    assert.strictEqual((await takeFile(`${service.url}/api/shl/${other.manifestId}/files/${ticket}`)).status, 404)
    assert.strictEqual((await view(service, ticket)).status, 410)
    await superuser.query(
      "update secure_link_view_sessions set created_at = created_at - interval '301 seconds' where link_id = $1",
      [link.id]
    )
    assert.strictEqual((await takeFile(`${service.url}/api/shl/${link.manifestId}/files/${ticket}`)).status, 404)
  })

  test("an unknown, a revoked, an expired link and one whose release ended have one answer, for tickets too", async () => {
    const answer = await ask({ passcode: await codeFor(service, link), embeddedLengthMax: 0 })
    const ticket = answer.json.files[0].location.split("/").at(-1)
    const same = async (manifestId: string) => {
      const dead = await askManifest(service, { manifestId })
      assert.strictEqual(dead.status, 404)
      assert.deepStrictEqual(bodyOf(dead), notThere)
      const file = await takeFile(`${service.url}/api/shl/${manifestId}/files/${ticket}`)
      assert.strictEqual(file.status, 404)
      assert.deepStrictEqual(bodyOf({ json: JSON.parse(file.text) }), notThere)
    }
    await same("A".repeat(43))
    await same("x")
    await revokeLink(service, veteran, link)
    await same(link.manifestId)
    const second = await createAppLink(service, veteran, { documentId })
    await expire(superuser, "secure_links.expires_at", second.id)
    await same(second.manifestId)
    const third = await createAppLink(service, veteran)
    await revokeRelease(service, veteran, third.documentId)
    await same(third.manifestId)
  })

  test("GET and HEAD are 405 and OPTIONS answers the preflight, in every state of the link", async () => {
    for (const manifestId of [link.manifestId, "A".repeat(43)]) {
      const path = `/api/shl/${manifestId}`
      const got = await call(service, "GET", path)
      assert.strictEqual(got.status, 405)
      assert.strictEqual(got.headers.get("allow"), "POST")
      assert.strictEqual((await call(service, "HEAD", path)).status, 405)
      const preflight = await call(service, "OPTIONS", path, {
        headers: {
          origin: "https://reader.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "content-type"
        }
      })
      assert.isBelow(preflight.status, 300)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(preflight.headers.get("access-control-allow-methods"), "POST")
      assert.include(preflight.headers.get("access-control-allow-headers"), "content-type")
    }
  })

  test.each([
    ["no recipient", { recipient: undefined }],
    ["a blank recipient", { recipient: " " }],
    ["a negative length", { embeddedLengthMax: -1 }],
    ["a length that is no whole number", { embeddedLengthMax: 1.5 }],
    ["a passcode that is no text", { passcode: 12345678 }]
  ])("refuses %s as invalid", async (_, change) => {
    const answer = await ask(change)
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(answer.json.error, "invalid_request")
  })

  test("says when to ask again once the codes of an hour are used up, and mails none", async () => {
    for (let code = 1; code < 5; code++) {
      await codeFor(service, link)
      await superuser.query("update secure_link_otps set ended_at = clock_timestamp() where link_id = $1", [link.id])
      await waitForNextCode(superuser, link)
    }
    const passcode = await codeFor(service, link)
    await waitForNextCode(superuser, link)
    assert.strictEqual((await ask({ passcode })).status, 200)
    const { message, ...refusal } = bodyOf(await ask())
    assert.deepStrictEqual(refusal, { error: "otp_invalid", remainingAttempts: 15 })
    assert.match(`${message}`, /^No more codes are mailed for now\. Ask again in 5\d minutes for a new one\.$/)
    assert.strictEqual(await mailedCode(service, link), passcode)
    await waitForNextCode(superuser, link, 3600)
    assert.notStrictEqual(await codeFor(service, link), passcode)
  })

  test("keeps the first 200 characters of a recipient, whole", async () => {
    const passcode = await codeFor(service, link)
    assert.strictEqual((await ask({ passcode, recipient: "😀".repeat(300) })).status, 200)
    assert.strictEqual((await listed()).claimedRecipient, "😀".repeat(200))
  })

  test("tells the veteran of the view once, and proves each step", async () => {
    const passcode = await codeFor(service, link)
    await ask({ passcode: wrong({ code: passcode }).code })
    await ask({ passcode })
    await revokeLink(service, veteran, link)
    assert.deepStrictEqual((await proofs()).map(([kind]: [string]) => kind), [
      "link_revoked",
      "link_viewed",
      "link_code_failed",
      "link_code_sent",
      "link_created"
    ])
    const sentences = (await proofs()).map(([, summary]: [string, string]) => summary)
    assert.include(sentences[1], "into a health app by link and code")
    assert.include(sentences[4], "which health apps can open too")
  })
})

describe("POST /secure-links/{linkId}/code", () => {
  const mail = (id = link.id, headers = veteran.headers) =>
    call(service, "POST", `/api/veteran/me/secure-links/${id}/code`, { headers })

  test("mails a code to the recipient, with the same throttle", async () => {
    const answer = await mail()
    assert.strictEqual(answer.status, 202, answer.text)
    assert.deepStrictEqual(answer.json, { expiresIn: 600, resendAfter: 30 })
    const early = await mail()
    assert.strictEqual(early.status, 429)
    assert.isAtLeast(Number(early.headers.get("retry-after")), 1)
    assert.strictEqual((await ask({ passcode: await mailedCode(service, link) })).status, 200)
  })

  test("refuses a link that no app opens, and one that ended", async () => {
    const plain = await createLink(service, veteran, { documentId })
    assert.strictEqual((await mail(plain.id)).status, 409)
    await revokeLink(service, veteran, link)
    assert.strictEqual((await mail()).json.error, "link_disabled")
  })
})
