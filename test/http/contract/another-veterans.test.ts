import { HttpApi } from "effect/http-api"
import { assert, describe, test } from "vitest"
import { Api } from "../../../src/http/Api.ts"
import { connectApp, registerApp } from "../../support/Apps.ts"
import { call, giveGrant, ownHeaders, type SignedIn, told } from "../../support/Client.ts"
import { newDevice, signInByVa, signInDevice } from "../../support/Device.ts"
import { nobody } from "../../support/Formats.ts"
import { newPasskey } from "../../support/Passkeys.ts"
import { newProvider } from "../../support/Providers.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { drain } from "../ledger/Drained.ts"
import { createAppLink } from "../link/AppLinks.ts"
import { createLink } from "../link/Links.ts"
import { signed, upload } from "../release/Releases.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const open = async () => {
  const { access, device, headers, person } = await signInDevice(service, va)
  const veteran: SignedIn = { id: person.id, token: access.accessToken, headers }
  return { ...veteran, person, device }
}

const ask = (who: Pick<SignedIn, "headers">, method: string, path: string, body?: unknown) =>
  call(service, method, `/api/veteran/me${path}`, { headers: who.headers, ...(body === undefined ? {} : { body }) })

const [owner, other] = [await open(), await open()]

const itemsOf = async (who: Pick<SignedIn, "headers">, list: string) => (await ask(who, "GET", list)).json.items

const newEntry = async () =>
  (await ask(owner, "POST", "/self-reported-entries", { category: "note", text: "x" })).json.id as string

const newUpload = async () => (await upload(service, owner, "text")).json.id as string

const newGrant = async () => (await giveGrant(service, owner, await newProvider(superuser))).id as string

const newRelease = async () => (await signed(service, owner)).document.id as string

/** For each route that takes an id of a veteran's thing: the id of such a thing, and the body that names it. */
const routes: Record<string, readonly [id: string, bodyOf?: (id: string) => unknown]> = {
  "POST /sessions/:sessionId/end": [
    (await signInByVa(service, va, await newDevice(), owner.person)).json.sessionId
  ],
  "POST /passkeys/:passkeyId/remove": [(await newPasskey(service, owner.headers)).passkeyId],
  "POST /identities/:identityId/remove": [(await itemsOf(owner, "/identities"))[0].id],
  "PATCH /self-reported-entries/:entryId": [await newEntry(), () => ({ text: "changed" })],
  "DELETE /self-reported-entries/:entryId": [await newEntry()],
  "GET /consent-grants/:grantId/fhir": [await newGrant()],
  "POST /consent-grants/:grantId/revoke": [await newGrant()],
  "POST /sharing/provider/:id/stop": [await newGrant()],
  "POST /sharing/app/:id/stop": [(await connectApp(superuser, owner, await registerApp(superuser))).grantId],
  "POST /sharing/link/:id/stop": [(await createLink(service, owner)).id],
  "POST /sharing/release/:id/stop": [await newRelease()],
  "GET /documents/:documentId": [await newUpload()],
  "GET /documents/:documentId/content": [await newUpload()],
  "GET /documents/:documentId/ccda": [await newRelease()],
  "GET /documents/:documentId/record": [await newRelease()],
  "DELETE /documents/:documentId": [await newUpload()],
  "GET /disclosures/:disclosureId/proof": [(await itemsOf(owner, "/disclosures"))[0].id],
  "GET /roi/:documentId/fhir": [await newRelease()],
  "POST /roi/:documentId/revoke": [await newRelease()],
  "POST /secure-links/:linkId/revoke": [(await createLink(service, owner)).id],
  "POST /secure-links/:linkId/code": [(await createAppLink(service, owner)).id],
  "POST /secure-links": [
    await newRelease(),
    (documentId) => ({ documentId, recipientName: "Jane Gray", recipientEmail: "jane.gray@clinic.example" })
  ]
}

const requests = Object.entries(routes).map(([route, [id, bodyOf]]) => {
  const [method, path] = route.split(" ") as [string, string]
  return [route, (who: SignedIn, named = id) => ask(who, method, path.replace(/:\w+/, named), bodyOf?.(named))] as const
})

const lists = ["documents", "secure-links", "consent-grants", "self-reported-entries", "passkeys", "identities",
  "sharing", "disclosures"]

/** All that a veteran has, and the account of what happened to it. */
const stateOf = async (who: SignedIn) => ({
  ...Object.fromEntries(await Promise.all(lists.map(async (list) => [list, await itemsOf(who, `/${list}`)]))),
  sessions: (await itemsOf(who, "/sessions")).map(({ id }: { readonly id: string }) => id)
})

// Otherwise the service would do so within a minute, and the lists tell it.
await drain(service)

const before = [await stateOf(owner), await stateOf(other)]

test("The table of this test lists exactly the routes that take an id of a veteran's thing", () => {
  const existing: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      if (/^\/api\/veteran\/:veteranId\/.*:/.test(path)) {
        existing.push(`${method} ${path.replace("/api/veteran/:veteranId", "")}`)
      }
    }
  })
  const listed = Object.keys(routes).map((route) => route.replace(/sharing\/\w+/, "sharing/:kind"))
  assert.deepStrictEqual([...new Set(listed)].filter((route) => route.includes(":")).sort(), existing.sort())
})

describe("Another veteran's thing", () => {
  test.each(requests)("gets the same answer as an unknown id: %s", async (_, request) => {
    const answers = [await request(other), await request(other, nobody)].map(({ headers, json, status }) => {
      const { requestId: _, ...body } = json
      return { status, body, headers: ownHeaders({ headers }) }
    })
    const [{ headers: _headers, ...foreign }] = answers as [typeof answers[0]]
    assert.deepStrictEqual(foreign, {
      status: 404,
      body: { error: "not_found", message: "There is no such resource." }
    })
    assert.deepStrictEqual(answers[1], answers[0])
  })

  test.each(requests)("gets 400 instead of that answer under a malformed id: %s", async (_, request) => {
    assert.deepStrictEqual(told(await request(owner, "first")), [400, "invalid_request"])
  })

  test("is in no list", async () => {
    const shown = JSON.stringify(await stateOf(other))
    for (const id of [owner.id, ...Object.values(routes).map(([id]) => id)]) assert.notInclude(shown, id)
  })

  test("stays as it is, and nothing of these requests is in either account", async () => {
    assert.deepStrictEqual([await stateOf(owner), await stateOf(other)], before)
  })

  test("is found by its veteran, so that it was the veteran that made the difference", async () => {
    for (const [route, request] of requests) assert.notStrictEqual((await request(owner)).status, 404, route)
  })
})
