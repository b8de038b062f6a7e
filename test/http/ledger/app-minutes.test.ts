import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { type App, connectApp, fhir, get, observation, syncAndConnect } from "../fhir/Apps.ts"
import { readAccount, withinOneMinute } from "./Account.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

type Connected = Awaited<ReturnType<typeof syncAndConnect>>

const record = { Observation: [observation("a"), observation("b")], Condition: [resource("Condition", "c")] }

const connected = () => syncAndConnect(service, owner, record)

const ok = async (answer: ReturnType<typeof get>) => assert.include([200, 304], (await answer).status)

const found = (app: App, path: string, headers = {}) => ok(get(service, app, path, headers))

/** The types that each row names, the oldest first, and how many minutes the rows cover. */
const told = async ({ veteran }: Connected) => {
  const { json: { items } } = await readAccount(service, veteran, "?kind=oauth_access_used&limit=200")
  return {
    types: items.map(({ resourceTypes }: any) => resourceTypes).reverse(),
    minutes: new Set(items.map(({ at }: any) => at.slice(0, 16))).size
  }
}

// test/http/fhir/tokens.test.ts tests answers of two processes, because it has two.
describe("The answers to an app in one minute", () => {
  test("add no row if a row already names their types: reads, searches, 304 and $everything", async () => {
    const { app, veteran } = await connected()
    await found(app, `/Patient/${veteran.id}/$everything?_type=Observation,Condition`)
    const tag = (await get(service, app, "/Observation/a")).headers.get("etag")!
    for (let times = 0; times < 10; times++) {
      await found(app, "/Observation/b")
      await found(app, "/Observation/a", { "if-none-match": tag })
      await found(app, "/Condition?code=http://none.example|none")
      await ok(call(service, "POST", `${fhir}/Observation/_search`, {
        headers: { ...app.headers, "content-type": "application/x-www-form-urlencoded" },
        body: "_id=a"
      }))
    }
    const { minutes, types } = await told({ app, veteran })
    assert.deepStrictEqual(types[0], { Observation: 2, Condition: 1 })
    // In each further minute, the first answers may add up to four rows.
    assert.isAtMost(types.length, 1 + 4 * (minutes - 1))
    assert.isBelow(types.length, 30)
  })

  test("add a row for a new type, and for the first items found of a type", async () => {
    const { app, veteran } = await connected()
    await withinOneMinute(10)
    for (const _ of [1, 2]) await found(app, "/Observation?_id=none")
    for (const _ of [1, 2]) await found(app, "/Observation?_id=a")
    await found(app, "/Observation?_id=none")
    await found(app, "/Observation")
    for (const _ of [1, 2]) await found(app, "/Condition/c")
    await found(app, `/Patient/${veteran.id}/$everything?_type=Observation,Condition`)
    assert.deepStrictEqual((await told({ app, veteran })).types, [
      { Observation: 0 },
      { Observation: 1 },
      { Condition: 1 }
    ])
  })

  test("add a separate row in another minute, or under another grant", async () => {
    const { app, veteran } = await connected()
    const other = await connectApp(service, owner, veteran)
    await withinOneMinute(10)
    await found(app, "/Observation/a")
    await found(other, "/Observation/a")
    await owner.query("update acts_noted set minute = minute - interval '1 minute' where veteran_id = $1", [veteran.id])
    await found(app, "/Observation/a")
    const { json: { items } } = await readAccount(service, veteran, "?kind=oauth_access_used")
    assert.deepStrictEqual(items.map(({ grantId }: any) => grantId).reverse(), [
      app.grantId,
      other.grantId,
      app.grantId
    ])
  })

  test("add no row for a read that found nothing", async () => {
    const { app, veteran } = await connected()
    await sync(service, veteran, { Condition: "complete" }, { Condition: [] })
    assert.strictEqual((await get(service, app, "/Condition/c")).status, 404)
    assert.deepStrictEqual((await told({ app, veteran })).types, [])
  })
})
