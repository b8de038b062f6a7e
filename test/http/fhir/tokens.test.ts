import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { bearer, call } from "../../support/Client.ts"
import { spendPermits } from "../../support/Permits.ts"
import { until } from "../../support/Until.ts"
import { readAccount } from "../ledger/Account.ts"
import { connectApp, fhir, get, observation, signToken, syncAndConnect } from "./Apps.ts"

const { database, service: one } = await openApp()

const owner = await database.connect("owner")

/** Another process of the same service, known by the same address. */
const other = await openService(database, { OAUTH_ISSUER: `${one.url}/api/oauth` })

const connected = () => syncAndConnect(one, owner, { Observation: [observation("a")], Condition: [] })

describe("A signed token", async () => {
  const { app, veteran } = await connected()
  const stranger = await connected()
  const narrow = await connectApp(one, owner, veteran, { scope: "patient/Condition.rs" })
  const good = { sub: veteran.id, client_id: app.clientId, gid: app.grantId, scope: "patient/*.rs" }

  const paths = ["/Observation/a", "/Observation", `/Patient/${veteran.id}`, `/Patient/${veteran.id}/$everything`]

  const statuses = async (claims: Readonly<Record<string, string | number>>, signed = {}) => {
    const headers = bearer(await signToken(one, claims, signed))
    const answers = await Promise.all(paths.map((path) => get(one, { headers } as never, path)))
    for (const { text } of answers) assert.notInclude(text, "\"code\":{\"text\":\"x\"}")
    return [...new Set(answers.map(({ status }) => status))]
  }

  test("reads what its grant allows", async () => {
    const token = await signToken(one, good)
    assert.strictEqual((await get(other, { headers: bearer(token) } as never, "/Observation/a")).status, 200)
  })

  test.each<readonly [string, Readonly<Record<string, string | number>>]>([
    ["another veteran", { sub: stranger.veteran.id }],
    ["an unknown veteran", { sub: randomUUID() }],
    ["another veteran's grant", { gid: stranger.app.grantId }],
    ["another grant of the same veteran", { gid: narrow.grantId }],
    ["another client", { client_id: stranger.app.clientId }],
    ["another audience", { aud: `${one.url}/api/oauth` }],
    ["another issuer", { iss: "https://elsewhere.example/api/oauth" }],
    ["more than was granted", { gid: narrow.grantId, client_id: narrow.clientId }],
    ["a malformed scope", { scope: "patient/*.rs patient/Nothing.rs" }],
    ["no scope", { scope: "" }],
    ["an expiry in the past", { iat: 1, exp: 2 }],
    ["a lifetime that is too long", { exp: Math.floor(Date.now() / 1000) + 3600 }]
  ])("with %s reads nothing", async (_, wrong) => {
    assert.deepStrictEqual(await statuses({ ...good, ...wrong }), [401])
  })

  test("reads nothing if it is signed with another key or has another type", async () => {
    assert.deepStrictEqual(await statuses(good, { secret: "another secret of at least thirty-two" }), [401])
    assert.deepStrictEqual(await statuses(good, { typ: "JWT" }), [401])
  })

  test.each(
    [
      ["consent_grants", "update consent_grants set expires_at = now() - interval '1 second' where id = $1", "grantId"],
      ["oauth_clients", "update oauth_clients set disabled_at = now() where id = $1", "clientId"]
    ] as const
  )("reads nothing after its row in %s has expired or was disabled", async (_, statement, id) => {
    const { app } = await connected()
    assert.strictEqual((await get(one, app, "/Observation/a")).status, 200)
    await owner.query(statement, [app[id]])
    assert.strictEqual((await get(one, app, "/Observation/a")).status, 401)
    assert.strictEqual((await get(other, app, "/Observation")).status, 401)
  })
})

test("After a revoke has answered, every read that begins later is refused, on every process", async () => {
  for (let round = 0; round < 2; round++) {
    const { app, veteran } = await connected()
    const paths = ["/Observation/a", "/Observation", `/Patient/${veteran.id}/$everything`]
    let revoked = false
    const answers: Array<{ readonly after: boolean; readonly status: number }> = []
    const reads = Array.from({ length: 10 }, async (_, reader) => {
      for (let [count, after] = [0, 0]; count < 10 || after < 2; count++) {
        const began = { after: revoked }
        if (revoked) after++
        const { status } = await get(reader % 2 === 0 ? one : other, app, paths[count % 3]!)
        answers.push({ ...began, status })
      }
    })
    await until("a read is answered", async () => answers.length > 0)
    const ended = await call(one, "POST", `/api/veteran/me/consent-grants/${app.grantId}/revoke`, {
      headers: veteran.headers
    })
    revoked = true
    assert.strictEqual(ended.status, 200)
    await Promise.all(reads)
    assert.deepStrictEqual([...new Set(answers.filter(({ after }) => after).map(({ status }) => status))], [401])
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))].toSorted(), [200, 401])
  }
})

test("Reads that arrive together at two processes share one row of a minute in the account of disclosures", async () => {
  const { app, veteran } = await connected()
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => get([one, other][index % 2]!, app, "/Observation/a"))
  )
  assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const { json: { items } } = await readAccount(one, veteran, "?kind=oauth_access_used&limit=200")
  const minutes = new Set(items.map(({ at }: any) => at.slice(0, 16))).size
  assert.deepStrictEqual(
    items.map(({ resourceTypes }: any) => resourceTypes),
    Array.from({ length: minutes }, () => ({ Observation: 1 }))
  )
})

test("An app may read 600 times a minute, over all its routes", async () => {
  const { app } = await connected()
  assert.strictEqual((await get(one, app, "/Observation/a")).status, 200)
  await spendPermits(owner, 590)
  const path = (at: number) => ["/Observation/a", "/Observation?_count=0", "/Condition"][at % 3]!
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => get(one, app, path(at))))
  const limited = answers.filter(({ status }) => status === 429)
  assert.strictEqual(limited.length, 11)
  assert.strictEqual(limited[0]!.json.issue[0].code, "throttled")
  assert.match(limited[0]!.headers.get("retry-after")!, /^\d+$/)
  assert.strictEqual((await call(one, "GET", `${fhir}/metadata`)).status, 200)
})
