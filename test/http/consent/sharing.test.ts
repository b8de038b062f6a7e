import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, bearer, call, giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { instant, nobody } from "../../support/Formats.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { kindsOf } from "../ledger/Account.ts"
import { challenge, createLink, expire, step, verified, view, wrong } from "../link/Links.ts"
import { giveCode, redeem, registerClient } from "../oauth/Grants.ts"
import { signed } from "../release/Releases.ts"
import { expireGrant, readPatientRecord, revoke } from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const runtime = await database.connect("runtime")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/sharing"

const list = async (query = "", who: SignedIn = veteran) => {
  const answer = await call(service, "GET", path + query, { headers: who.headers })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.items
}

const stop = (kind: string, id: string, who: SignedIn = veteran) =>
  call(service, "POST", `${path}/${kind}/${id}/stop`, { headers: who.headers })

const stopAll = () => call(service, "POST", `${path}/stop-all`, { headers: veteran.headers, body: {} })

const standings = async (query = "?status=ended") =>
  (await list(query)).map(({ ended, id, kind, status }: any) => [kind, id, status, ended])

const connectApp = async () => {
  const client = await registerClient(service)
  const given = await giveCode(runtime, client, veteran)
  const { json } = await redeem(service, client, given)
  return { client, grantId: given.grantId, headers: bearer(json.access_token) }
}

describe("GET /api/veteran/{veteranId}/sharing", () => {
  test("is empty for a veteran who shares nothing", async () => {
    const answer = await call(service, "GET", path, { headers: veteran.headers })
    assert.deepStrictEqual([answer.status, answer.json], [200, { items: [], nextCursor: null }])
  })

  test("has a grant to a provider, with what it covers and how often it was used", async () => {
    const provider = await newProvider(superuser)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    const grant = await giveGrant(service, veteran, provider, {
      resourceTypes: ["Condition"],
      sensitiveCategories: ["hiv"],
      includeDocuments: false
    })
    await readPatientRecord(service, provider, veteran)
    const [item, ...others] = await list()
    assert.deepStrictEqual(others, [])
    const { looks, since, ...rest } = item
    assert.deepStrictEqual(rest, {
      kind: "provider",
      id: grant.id,
      status: "active",
      ended: null,
      who: { name: "Dr. Ada Gray", organization: "Gray Clinic", email: provider.email, npi: null },
      purpose: "treatment",
      what: {
        resourceTypes: ["Condition"],
        sensitiveCategories: ["hiv"],
        includeSelfReported: true,
        includeDocuments: false,
        documentId: null,
        items: null
      },
      until: grant.expiresAt,
      steps: null,
      releaseId: null
    })
    assert.strictEqual(since, grant.grantedAt)
    assert.strictEqual(looks.count, 1)
    assert.match(looks.lastAt, instant)
  })

  test("has an app, which may read every kind", async () => {
    const app = await connectApp()
    await call(service, "GET", "/api/fhir/R4/Condition", { headers: app.headers })
    const [item] = await list()
    assert.deepStrictEqual([item.kind, item.id, item.who, item.what.resourceTypes, item.looks.count], [
      "app",
      app.grantId,
      { name: "Blue Sky", organization: null, email: null, npi: null },
      null,
      1
    ])
  })

  test("has a release in force beside its link, with the steps of the link", async () => {
    await sync(
      service,
      veteran,
      { Condition: "complete", MedicationRequest: "complete" },
      { Condition: [resource("Condition", "c1"), resource("Condition", "c2")], MedicationRequest: [] }
    )
    const { document } = await signed(service, veteran)
    const link = await createLink(service, veteran, { documentId: document.id, recipientEmail: "jane@clinic.example" })
    const [asLink, asRelease, ...others] = await list()
    assert.deepStrictEqual(others, [])
    const what = {
      resourceTypes: ["Condition", "MedicationRequest"],
      sensitiveCategories: [],
      includeSelfReported: false,
      includeDocuments: false,
      documentId: document.id,
      items: 2
    }
    const { since: _, until: __, ...linkRest } = asLink
    assert.deepStrictEqual(linkRest, {
      kind: "link",
      id: link.id,
      status: "active",
      ended: null,
      who: { name: "Jane Gray", organization: null, email: "jane@clinic.example", npi: null },
      purpose: "treatment",
      what,
      steps: { notifiedAt: null, openedAt: null, codeSentAt: null, viewedAt: null },
      looks: { count: 0, lastAt: null },
      releaseId: document.id
    })
    assert.deepStrictEqual(asRelease, {
      kind: "release",
      id: document.id,
      status: "active",
      ended: null,
      who: { name: "Dr. Ada Gray", organization: "Gray Clinic", email: "ada.gray@clinic.example", npi: null },
      purpose: "treatment",
      what,
      since: document.signedAt,
      until: document.release.endsAt,
      steps: null,
      looks: { count: 0, lastAt: null },
      releaseId: null
    })
    // A link that was viewed stays active, because another code gives another view.
    assert.strictEqual((await view(service, await verified(service, link))).status, 200)
    const [viewed] = await list()
    assert.match(viewed.steps.viewedAt, instant)
    assert.deepStrictEqual([viewed.status, viewed.looks.count], ["active", 1])
  })

  test("says why each of them ended", async () => {
    const [one, two, three] = [
      await newProvider(superuser),
      await newProvider(superuser),
      await newProvider(superuser)
    ]
    const revoked = await giveGrant(service, veteran, one)
    await revoke(service, veteran, revoked)
    const expired = await giveGrant(service, veteran, two)
    await expireGrant(superuser, expired)
    const disabled = await giveGrant(service, veteran, three)
    await call(service, "POST", `/api/admin/providers/${three.id}/disable`, { headers: asAdmin })
    const guessed = await createLink(service, veteran)
    await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [guessed.id])
    const attempt = await challenge(service, guessed)
    await step(service, "otp/verify", wrong({ token: guessed.token, ...attempt }))
    const over = await createLink(service, veteran, { documentId: guessed.documentId })
    await expire(superuser, "secure_links.expires_at", over.id)
    const first = await createLink(service, veteran)
    const { document } = await signed(service, veteran, { supersedes: first.documentId })
    const last = await createLink(service, veteran, { documentId: document.id })
    await call(service, "POST", `/api/veteran/me/roi/${document.id}/revoke`, { headers: veteran.headers })

    assert.deepStrictEqual(await standings(), [
      ["link", last.id, "ended", "revoked"],
      ["release", document.id, "ended", "revoked"],
      ["link", first.id, "ended", "superseded"],
      ["release", first.documentId, "ended", "superseded"],
      ["link", over.id, "ended", "expired"],
      ["link", guessed.id, "ended", "wrong_codes"],
      ["provider", disabled.id, "ended", "disabled"],
      ["provider", expired.id, "ended", "expired"],
      ["provider", revoked.id, "ended", "revoked"]
    ])
    assert.deepStrictEqual((await list()).map(({ id }: any) => id), [guessed.documentId])
  })

  test.each(["?status=all", "?kind=link", "?status="])("refuses %s", async (query) => {
    const answer = await call(service, "GET", path + query, { headers: veteran.headers })
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
  })
})

describe("POST /api/veteran/{veteranId}/sharing/{kind}/{id}/stop", () => {
  test("stops each kind at once, with one proof, and stopping again changes nothing", async () => {
    const provider = await newProvider(superuser)
    const grant = await giveGrant(service, veteran, provider)
    const app = await connectApp()
    const link = await createLink(service, veteran)
    for (
      const [kind, id, proof] of [
        ["provider", grant.id, "grant_revoked"],
        ["app", app.grantId, "oauth_access_revoked"],
        ["link", link.id, "link_revoked"]
      ] as const
    ) {
      const first = await stop(kind, id)
      assert.deepStrictEqual([first.status, first.json.status, first.json.ended], [200, "ended", "revoked"])
      assert.deepStrictEqual((await stop(kind, id)).json, first.json)
      assert.deepStrictEqual(await kindsOf(service, veteran, `?kind=${proof}`), [proof])
    }
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 403)
    assert.strictEqual((await call(service, "GET", "/api/fhir/R4/Condition", { headers: app.headers })).status, 401)
    assert.strictEqual((await step(service, "open", { token: link.token })).status, 410)
  })

  test("leaves what has expired as it ended, and stops a release with its other links", async () => {
    const grant = await giveGrant(service, veteran, await newProvider(superuser))
    await expireGrant(superuser, grant)
    const link = await createLink(service, veteran)
    await expire(superuser, "secure_links.expires_at", link.id)
    for (const [kind, id] of [["provider", grant.id], ["link", link.id]]) {
      const { json, status } = await stop(kind, id)
      assert.deepStrictEqual([status, json.ended], [200, "expired"])
    }
    const { documentId } = link
    const other = await createLink(service, veteran, { documentId })
    const { json, status } = await stop("release", documentId)
    assert.deepStrictEqual([status, json.kind, json.ended], [200, "release", "revoked"])
    assert.deepStrictEqual(await list(), [])
    assert.strictEqual((await step(service, "open", { token: other.token })).status, 410)
  })

  test("finds nothing under another kind", async () => {
    const grant = await giveGrant(service, veteran, await newProvider(superuser))
    for (const answer of [await stop("app", grant.id), await stop("link", grant.id)]) {
      assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"])
    }
    assert.strictEqual((await stop("friend", grant.id)).status, 400)
    assert.lengthOf(await list(), 1)
  })

  test("by two at the same moment is one stop, with one proof", async () => {
    const grant = await giveGrant(service, veteran, await newProvider(superuser))
    const answers = await Promise.all(Array.from({ length: 8 }, () => stop("provider", grant.id)))
    assert.deepStrictEqual(answers.map(({ status }) => status), Array(8).fill(200))
    assert.deepStrictEqual(new Set(answers.map(({ text }) => text)).size, 1)
    assert.deepStrictEqual(await kindsOf(service, veteran, "?kind=grant_revoked"), ["grant_revoked"])
  })
})

describe("POST /api/veteran/{veteranId}/sharing/stop-all", () => {
  test("stops everything, counts what was active, and writes one proof each", async () => {
    const provider = await newProvider(superuser)
    await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, provider)
    const disabled = await newProvider(superuser)
    await giveGrant(service, veteran, disabled)
    await call(service, "POST", `/api/admin/providers/${disabled.id}/disable`, { headers: asAdmin })
    await connectApp()
    const { documentId } = await createLink(service, veteran)
    await createLink(service, veteran, { documentId })
    const other = await signInVeteran(service)
    await giveGrant(service, other, provider)

    const { json, status } = await stopAll()
    assert.deepStrictEqual([status, json], [200, { provider: 2, app: 1, link: 2, release: 1 }])
    assert.deepStrictEqual(await list(), [])
    assert.deepStrictEqual((await stopAll()).json, { provider: 0, app: 0, link: 0, release: 0 })
    assert.deepStrictEqual(
      (await kindsOf(service, veteran)).filter((kind) => kind.endsWith("_revoked")).sort(),
      ["grant_revoked", "grant_revoked", "grant_revoked", "link_revoked", "link_revoked", "oauth_access_revoked"]
    )
    assert.lengthOf(await list("", other), 1)
  })

  test("by several at the same moment counts each once", async () => {
    const provider = await newProvider(superuser)
    for (const _ of [1, 2, 3]) await giveGrant(service, veteran, provider)
    await createLink(service, veteran)
    const answers = await Promise.all(Array.from({ length: 6 }, stopAll))
    const sum = (kind: string) => answers.reduce((total, { json }) => total + json[kind], 0)
    assert.deepStrictEqual([sum("provider"), sum("link"), sum("release")], [3, 1, 1])
  })
})

describe("A consent grant that supersedes another", () => {
  test("ends it in the same step, so that the list never shows both", async () => {
    const provider = await newProvider(superuser)
    const old = await giveGrant(service, veteran, provider)
    const fresh = await giveGrant(service, veteran, provider, { supersedes: old.id, includeDocuments: false })
    assert.deepStrictEqual((await list()).map(({ id }: any) => id), [fresh.id])
    assert.deepStrictEqual(await standings(), [["provider", old.id, "ended", "superseded"]])
    assert.deepStrictEqual(await kindsOf(service, veteran), ["grant_given", "grant_revoked", "grant_given"])
  })

  test("takes the place of one of the five that a provider may have", async () => {
    const provider = await newProvider(superuser)
    const grants = []
    for (const _ of [1, 2, 3, 4, 5]) grants.push(await giveGrant(service, veteran, provider))
    assert.strictEqual((await giveGrant(service, veteran, provider)).error, "conflict")
    assert.isString((await giveGrant(service, veteran, provider, { supersedes: grants[0].id })).id)
  })

  test("must name an active grant of the same veteran to the same provider, or nothing changes", async () => {
    const provider = await newProvider(superuser)
    const grant = await giveGrant(service, veteran, provider)
    const elsewhere = await giveGrant(service, veteran, await newProvider(superuser))
    const foreign = await giveGrant(service, await signInVeteran(service), provider)
    const ended = await giveGrant(service, veteran, provider)
    await revoke(service, veteran, ended)
    for (const supersedes of [elsewhere.id, foreign.id, ended.id, nobody]) {
      assert.strictEqual((await giveGrant(service, veteran, provider, { supersedes })).error, "conflict")
    }
    const past = { supersedes: grant.id, providerId: nobody }
    assert.strictEqual((await giveGrant(service, veteran, provider, past)).error, "conflict")
    assert.lengthOf(await list(), 2)
  })

  test("and a stop at the same moment leave one of both outcomes", async () => {
    const provider = await newProvider(superuser)
    for (const _ of [1, 2, 3, 4]) {
      const old = await giveGrant(service, veteran, provider)
      const [fresh] = await Promise.all([
        giveGrant(service, veteran, provider, { supersedes: old.id }),
        stop("provider", old.id)
      ])
      const active = (await list()).map(({ id }: any) => id)
      assert.deepStrictEqual(active, fresh.error === undefined ? [fresh.id] : [])
      await stopAll()
    }
  })
})
