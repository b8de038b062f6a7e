import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, registerVeterans, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { drain } from "../ledger/Drained.ts"
import { createLink } from "../link/Links.ts"
import { registerClient } from "../oauth/Grants.ts"
import { signed, upload } from "../release/Releases.ts"
import { writeNote } from "../Sharing.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const [veteran, twin] = [await signInVeteran(service), await signInVeteran(service)]

const [provider, other] = [await newProvider(superuser), await newProvider(superuser)]

/** Makes three things, one after the other. Returns their ids, the newest first. */
const three = async (make: () => Promise<{ readonly id: string }>) => {
  const ids: Array<string> = []
  for (const _ of [1, 2, 3]) ids.unshift((await make()).id)
  return ids
}

const post = async (path: string, { headers }: { readonly headers: Record<string, string> }, body: unknown) =>
  (await call(service, "POST", path, { headers, body })).json

await sync(service, veteran, { Condition: "complete" }, {
  Condition: ["a", "b", "c"].map((id) => resource("Condition", id))
})

const entries = await three(() =>
  post("/api/veteran/me/self-reported-entries", veteran, { category: "note", text: "x" })
)

const ofTwin = (await giveGrant(service, twin, provider)).id

const toOther = (await giveGrant(service, veteran, other)).id

const grants = await three(() => giveGrant(service, veteran, provider))

const { document: { id: documentId } } = await signed(service, veteran)

const links = await three(() => createLink(service, veteran, { documentId }))

const notes = await three(async () => (await writeNote(service, provider, veteran, { text: "x" })).json)

await three(async () => (await upload(service, veteran, "text")).json)

await three(() => post("/api/provider/invitations", provider, {}))

await registerVeterans(superuser, 3)

await newProvider(superuser)

for (const n of [1, 2, 3]) {
  await post("/api/waitlist", { headers: {} }, { email: `${n}-${provider.email}` })
  const { clientId } = await registerClient(service)
  await post(`/api/admin/oauth-clients/${clientId}/disable`, { headers: asAdmin }, undefined)
}

interface List {
  /** The items in their order, by the names that `nameOf` gives them. Other lists have things of other tests too. */
  readonly names?: ReadonlyArray<string>
  readonly query?: string
  /** Where the page is in the answer. */
  readonly pageIn?: (json: any) => any
}

const conditions = ["a", "b", "c"]

const lists: Record<string, List> = {
  "/api/veteran/{veteranId}/health-record": { names: conditions },
  "/api/veteran/{veteranId}/self-reported-entries": { names: entries },
  "/api/veteran/{veteranId}/consent-grants": { names: [...grants, toOther] },
  "/api/veteran/{veteranId}/sharing": { names: [...links, documentId, ...grants, toOther] },
  "/api/veteran/{veteranId}/documents": {},
  "/api/veteran/{veteranId}/secure-links": { names: links },
  "/api/veteran/{veteranId}/disclosures": {},
  "/api/veteran/{veteranId}/provider-notes": { names: notes },
  "/api/provider/invitations": {},
  "/api/provider/patients": { names: [...grants, ofTwin] },
  "/api/provider/patients/{veteranId}/notes": { names: notes },
  "/api/provider/patients/{veteranId}/record": {
    names: conditions,
    query: "resourceType=Condition&",
    pageIn: ({ sections }) => sections[0]
  },
  "/api/provider/patients/{veteranId}/record/changes": { names: conditions, query: "since=2020-01-01T00:00:00Z&" },
  "/api/admin/veterans": {},
  "/api/admin/providers": {},
  "/api/admin/waitlist": {},
  "/api/admin/acts": {},
  "/api/admin/oauth-clients": {}
}

const nameOf = ({ fhirId, grant, id }: any): string => fhirId ?? grant?.id ?? id

// Otherwise the service would do so within a minute, and the account of disclosures tells it.
await drain(service)

/** A FHIR bundle, whose pages test/http/shape tests. */
const bundle = "/api/veteran/{veteranId}/disclosures/fhir"

const read = (path: string, query: string, isOther = false) => {
  const own = path.replace("{veteranId}", path.startsWith("/api/veteran/") ? "me" : veteran.id)
  const headers = path.startsWith("/api/admin/")
    ? asAdmin
    : path.startsWith("/api/provider/")
    ? (isOther ? other : provider).headers
    : (isOther ? twin : veteran).headers
  return call(service, "GET", `${own}?${lists[path]?.query ?? ""}${query}`, { headers })
}

const pageOf = async (path: string, query: string) => {
  const { json, status, text } = await read(path, query)
  assert.strictEqual(status, 200, text)
  return (lists[path]!.pageIn ?? ((page) => page))(json) as {
    readonly items: ReadonlyArray<any>
    readonly nextCursor: string | null
  }
}

test("The table of this test lists exactly the lists of the service", async () => {
  const { json } = await call(service, "GET", "/api/openapi.json")
  const existing = Object.entries<any>(json.paths).flatMap(([path, { get }]) =>
    get?.parameters.some(({ in: place, name }: any) => place === "query" && name === "limit") ? [path] : []
  )
  assert.sameMembers(existing, [...Object.keys(lists), bundle])
})

describe("The parameter 'limit' of a list", () => {
  test.each([...Object.keys(lists), bundle])(
    "is at most 1,000 for the items of a record and 200 elsewhere: %s",
    async (path) => {
      const most = /\/(health-record|record)$/.test(path) ? 1000 : 200
      assert.strictEqual((await read(path, `limit=${most}`)).status, 200)
      for (const limit of [0, most + 1]) {
        const { json, status } = await read(path, `limit=${limit}`)
        assert.deepStrictEqual([status, json.issues], [400, [{
          path: ["limit"],
          message: `Expected a value between 1 and ${most}`
        }]])
      }
      for (const limit of ["", "x", "1.5", "-1"]) {
        const { json, status } = await read(path, `limit=${limit}`)
        assert.deepStrictEqual([status, json.error, json.issues[0].path], [400, "invalid_request", ["limit"]])
      }
    }
  )
})

describe.each(Object.entries(lists))("The list %s", (path, { names }) => {
  test("has each item once, in one order, page by page", async () => {
    const whole = await pageOf(path, "limit=9")
    assert.isAtLeast(whole.items.length, 3)
    if (names !== undefined) assert.deepStrictEqual(whole.items.map(nameOf), names)
    const found: Array<unknown> = []
    let page = await pageOf(path, "limit=2")
    for (;;) {
      found.push(...page.items)
      if (found.length >= whole.items.length) break
      assert.lengthOf(page.items, 2)
      page = await pageOf(path, `limit=2&cursor=${page.nextCursor}`)
    }
    assert.deepStrictEqual(found.slice(0, whole.items.length), whole.items)
    if (whole.nextCursor === null) assert.deepStrictEqual([found.length, page.nextCursor], [whole.items.length, null])
  })

  test("refuses a cursor that was changed, or that is of another list or person", async () => {
    const { nextCursor } = await pageOf(path, "limit=1")
    const elsewhere = Object.keys(lists).find((list) => list !== path)!
    const foreign = (await pageOf(elsewhere, "limit=1")).nextCursor
    const answers = await Promise.all(
      ["", "x", `${nextCursor}x`, `${nextCursor}`.replace(".", ".."), foreign].map((cursor) =>
        read(path, `cursor=${cursor}`)
      )
    )
    if (!path.startsWith("/api/admin/")) answers.push(await read(path, `cursor=${nextCursor}`, true))
    for (const { json, status } of answers) {
      assert.deepStrictEqual([status, json.error, json.issues[0].path], [400, "invalid_request", ["cursor"]])
    }
  })
})
