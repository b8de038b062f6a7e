import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { connectApp, registerApp } from "../../support/Apps.ts"
import { asAdmin, call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { instant, nobody, uuid } from "../../support/Formats.ts"
import { newProvider } from "../../support/Providers.ts"
import { expireGrant } from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

// This turns triggers off, because they refuse every change to a grant that was revoked or has expired.
await superuser.query("set session_replication_role = replica")

const provider = await newProvider(superuser)

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const path = "/api/veteran/me/consent-grants"

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

const request = (changes: Record<string, unknown> = {}) => ({
  providerId: provider.id,
  resourceTypes: ["Condition", "Observation"],
  sensitiveCategories: ["hiv"],
  includeSelfReported: true,
  includeDocuments: false,
  purpose: "treatment",
  expiresAt: inAnHour(),
  ...changes
})

const give = (changes: Record<string, unknown> = {}, by = veteran) =>
  call(service, "POST", path, { headers: by.headers, body: request(changes) })

const revoke = (grantId: string, by = veteran) =>
  call(service, "POST", `${path}/${grantId}/revoke`, { headers: by.headers })

const list = async (query = "") => await call(service, "GET", `${path}${query}`, { headers: veteran.headers })

describe("POST /api/veteran/{veteranId}/consent-grants", () => {
  test("creates a grant and answers with all its members", async () => {
    const expiresAt = inAnHour()
    const answer = await give({ expiresAt })
    assert.strictEqual(answer.status, 201)
    const { grantedAt, id, ...rest } = answer.json
    assert.match(id, uuid)
    assert.match(grantedAt, instant)
    assert.deepStrictEqual(rest, {
      veteranId: veteran.id,
      providerId: provider.id,
      provider: { displayName: "Dr. Ada Gray", organization: "Gray Clinic" },
      app: null,
      scope: null,
      resourceTypes: ["Condition", "Observation"],
      sensitiveCategories: ["hiv"],
      includeSelfReported: true,
      includeDocuments: false,
      purpose: "treatment",
      status: "active",
      expiresAt,
      revokedAt: null
    })
  })

  test.each([
    ["2130-01-02T03:04:05Z", "2130-01-02T03:04:05.000Z"],
    ["2130-01-02T03:04:05.678901+00:00", "2130-01-02T03:04:05.678Z"],
    ["2130-01-02T03:04:05.678-05:00", "2130-01-02T08:04:05.678Z"]
  ])("accepts %s as the end of the grant", async (expiresAt, read) => {
    const answer = await give({ expiresAt })
    assert.strictEqual(answer.status, 201)
    assert.strictEqual(answer.json.expiresAt, read)
  })

  test("accepts null for all resource types, and an empty list for no sensitive category", async () => {
    const answer = await give({ resourceTypes: null, sensitiveCategories: [] })
    assert.strictEqual(answer.status, 201)
    assert.strictEqual(answer.json.resourceTypes, null)
    assert.deepStrictEqual(answer.json.sensitiveCategories, [])
  })

  test("accepts every sensitive category by its name", async () => {
    const sensitiveCategories = ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"]
    assert.deepStrictEqual((await give({ sensitiveCategories })).json.sensitiveCategories, sensitiveCategories)
  })

  const refused: ReadonlyArray<
    readonly [what: string, changes: Record<string, unknown>, path: ReadonlyArray<string | number>]
  > = [
    ["an end that is past", { expiresAt: "2020-01-01T00:00:00.000Z" }, ["expiresAt"]],
    ["an end that is no time", { expiresAt: "soon" }, ["expiresAt"]],
    ["an end that is no text", { expiresAt: 1_900_000_000_000 }, ["expiresAt"]],
    ["an end on a day that does not exist", { expiresAt: "2130-02-31T00:00:00Z" }, ["expiresAt"]],
    ["an end without a time zone", { expiresAt: "2130-01-01T00:00:00" }, ["expiresAt"]],
    ["an end that is only a day", { expiresAt: "2130-01-01" }, ["expiresAt"]],
    ["an end in words", { expiresAt: "1 Jan 2130" }, ["expiresAt"]],
    ["no end", { expiresAt: undefined }, ["expiresAt"]],
    ["an end of null", { expiresAt: null }, ["expiresAt"]],
    ["an unknown provider", { providerId: nobody }, ["providerId"]],
    ["a provider's e-mail for an id", { providerId: "ada@clinic.example" }, ["providerId"]],
    ["no resource type at all", { resourceTypes: [] }, ["resourceTypes"]],
    ["a text that names no resource type", { resourceTypes: ["Condition", "condition; drop"] }, ["resourceTypes", 1]],
    ["resource types that are no list", { resourceTypes: "Condition" }, ["resourceTypes"]],
    ["no member for resource types", { resourceTypes: undefined }, ["resourceTypes"]],
    ["an unknown sensitive category", { sensitiveCategories: ["hiv", "cancer"] }, ["sensitiveCategories", 1]],
    ["sensitive categories of null", { sensitiveCategories: null }, ["sensitiveCategories"]],
    ["a flag that is text", { includeSelfReported: "true" }, ["includeSelfReported"]],
    ["a missing flag", { includeDocuments: undefined }, ["includeDocuments"]],
    ["a blank purpose", { purpose: " \n" }, ["purpose"]],
    ["a purpose that is too long", { purpose: "x".repeat(501) }, ["purpose"]],
    ["a purpose with NUL", { purpose: "a\0b" }, ["purpose"]],
    ["a member that is unknown", { status: "active" }, ["status"]],
    ["a veteran in the body", { veteranId: nobody }, ["veteranId"]]
  ]
  for (const [what, changes, issue] of refused) {
    test(`refuses ${what} and stores nothing`, async () => {
      const answer = await give(changes)
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.json.error, "invalid_request")
      assert.deepStrictEqual(answer.json.issues.map(({ path }: { path: unknown }) => path), [issue])
      assert.deepStrictEqual((await list()).json.items, [])
    })
  }

  test("refuses a provider who is disabled", async () => {
    const other = await newProvider(superuser)
    await call(service, "POST", `/api/admin/providers/${other.id}/disable`, { headers: asAdmin })
    const answer = await give({ providerId: other.id })
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(answer.json.error, "invalid_request")
    assert.deepStrictEqual(answer.json.issues[0].path, ["providerId"])
  })

  test("reports every problem in one answer", async () => {
    const answer = await give({ purpose: "", includeSelfReported: 1, resourceTypes: [] })
    const paths = answer.json.issues.map(({ path }: { path: ReadonlyArray<string> }) => path[0])
    assert.deepStrictEqual(paths.sort(), ["includeSelfReported", "purpose", "resourceTypes"])
  })
})

describe("GET /api/veteran/{veteranId}/consent-grants", () => {
  test("lists each grant as it was given, with the provider's name even if the provider is now disabled", async () => {
    const other = await newProvider(superuser)
    const grants = [(await give({ providerId: other.id })).json, (await give()).json].reverse()
    await call(service, "POST", `/api/admin/providers/${other.id}/disable`, { headers: asAdmin })
    assert.deepStrictEqual((await list()).json, { items: grants, nextCursor: null })
  })

  test("lists the grants of apps beside the grants of providers", async () => {
    const app = await registerApp(superuser, { name: "Blue & Sky" })
    const given = (await give()).json
    const { grantId } = await connectApp(superuser, veteran, app, { types: ["Condition"] })
    const [ofApp, ofProvider] = (await list()).json.items
    assert.deepStrictEqual(ofProvider, given)
    const { expiresAt, grantedAt, ...rest } = ofApp
    assert.closeTo(Date.parse(expiresAt) - Date.parse(grantedAt), 3_600_000, 10)
    assert.deepStrictEqual(rest, {
      id: grantId,
      veteranId: veteran.id,
      providerId: null,
      provider: null,
      app: { clientId: app.id, name: "Blue & Sky" },
      scope: "patient/*.rs offline_access",
      resourceTypes: ["Condition"],
      sensitiveCategories: [],
      includeSelfReported: false,
      includeDocuments: false,
      purpose: "An app that I connected",
      status: "active",
      revokedAt: null
    })
  })

  test("shows whether a grant is active, revoked or expired", async () => {
    const [active, revoked, expired] = [(await give()).json, (await give()).json, (await give()).json]
    await revoke(revoked.id)
    await expireGrant(superuser, expired)
    const statuses = new Map(
      (await list()).json.items.map((grant: { id: string; status: string }) => [grant.id, grant.status])
    )
    assert.deepStrictEqual([active, revoked, expired].map(({ id }) => statuses.get(id)), [
      "active",
      "revoked",
      "expired"
    ])
  })
})

describe("POST /api/veteran/{veteranId}/consent-grants/{grantId}/revoke", () => {
  test("revokes the grant, and repeating the request changes nothing", async () => {
    const given = (await give()).json
    const first = await revoke(given.id)
    assert.strictEqual(first.status, 200)
    assert.match(first.json.revokedAt, instant)
    assert.deepStrictEqual(first.json, { ...given, status: "revoked", revokedAt: first.json.revokedAt })
    const second = await revoke(given.id)
    assert.strictEqual(second.status, 200)
    assert.deepStrictEqual(second.json, first.json)
  })

  test("gives parallel revokes of one grant the same answer", async () => {
    const given = (await give()).json
    const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(given.id)))
    assert.deepStrictEqual(answers.map(({ status }) => status), Array(8).fill(200))
    assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 1)
  })

  test("leaves a revoked grant revoked, not expired, after its end has passed", async () => {
    const given = (await give()).json
    const first = await revoke(given.id)
    await expireGrant(superuser, given)
    const second = await revoke(given.id)
    assert.strictEqual(second.status, 200)
    assert.strictEqual(second.json.status, "revoked")
    assert.strictEqual(second.json.revokedAt, first.json.revokedAt)
  })

  test("answers 409 once the grant has expired", async () => {
    const given = (await give()).json
    await expireGrant(superuser, given)
    const answer = await revoke(given.id)
    assert.strictEqual(answer.status, 409)
    assert.strictEqual(answer.json.error, "conflict")
  })

  test("ends an app's access like a provider's, also before the app has redeemed its code", async () => {
    const app = await registerApp(superuser)
    const [used, unused] = [
      await connectApp(superuser, veteran, app),
      await connectApp(superuser, veteran, app, { redeem: false })
    ]
    const listed = (await list()).json.items
    for (const { grantId } of [used, unused]) {
      const { json, status } = await revoke(grantId)
      const before = listed.find(({ id }: { id: string }) => id === grantId)
      assert.deepStrictEqual([status, json], [200, { ...before, status: "revoked", revokedAt: json.revokedAt }])
    }
    const { rows } = await superuser.query(
      "select app.rotate_refresh_token($1, $1, $1, $2) as rotated, app.redeem_code($3, $2, 'https://app.example/cb', 'c', 60, $3, $3) as redeemed",
      [used.family, app.id, unused.code]
    )
    assert.deepStrictEqual(rows, [{ rotated: "(invalid,,,,,)", redeemed: "(invalid,,,,,)" }])
  })
})
