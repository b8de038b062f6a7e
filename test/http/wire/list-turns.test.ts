import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, call, giveGrant, type SignedIn, signInVeteran, told } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { until } from "../../support/Until.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const list = (veteran: SignedIn, name = "consent-grants") =>
  call(service, "GET", `/api/veteran/me/${name}?limit=1`, { headers: veteran.headers })

/** The statements that wait for a lock on the table. */
const held = async () =>
  (await superuser.query(
    "select from pg_locks where relation = 'consent_grants'::regclass and not granted and database = (select oid from pg_database where datname = $1)",
    [database.name]
  )).rowCount

test("One veteran's lists take two connections at most, 32 requests at once, and nobody else's turn", async () => {
  const [veteran, other] = [await signInVeteran(service), await signInVeteran(service)]
  await giveGrant(service, veteran, await newProvider(superuser))
  const holder = await database.connect("superuser")
  await holder.query("begin")
  await holder.query("lock table consent_grants in access exclusive mode")
  const early: Array<Answer> = []
  const answers = Array.from({ length: 40 }, () => list(veteran).then((answer) => early.push(answer)))
  await until("eight were refused", async () => early.length === 8)
  for (const { headers, json, status } of early) {
    assert.deepStrictEqual([status, json.error, headers.get("retry-after")], [429, "rate_limited", "1"])
  }
  await until("two lists are being read", async () => await held() === 2)
  assert.deepStrictEqual(told(await call(service, "GET", "/api/veteran/me", { headers: veteran.headers })), [
    200,
    undefined
  ])
  assert.strictEqual((await list(other, "disclosures")).status, 200)
  assert.strictEqual(await held(), 2)
  await holder.query("rollback")
  await Promise.all(answers)
  assert.deepStrictEqual(
    early.slice(8).map(({ json, status }) => `${status} ${json.items.length}`),
    Array(32).fill("200 1")
  )
  assert.strictEqual((await list(veteran)).status, 200)
})
