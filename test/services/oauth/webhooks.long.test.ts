import { hkdfSync, randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Webhook } from "standardwebhooks"
import { afterEach, assert, beforeEach, describe, test } from "vitest"
import { revoke } from "../../http/Sharing.ts"
import { openDatabase, openFolder, openService, used } from "../../support/App.ts"
import { connectApp, registerApp, type RegisteredApp } from "../../support/Apps.ts"
import { registerVeterans, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { postSync } from "../../support/Sync.ts"
import { logged, until } from "../../support/Until.ts"
import { authority, openReceiver, type Told } from "./Receivers.ts"

const secret = "a secret from which each app's own is derived"

const program = fileURLToPath(new URL("../../support/webhooks-on-loopback.ts", import.meta.url))

const database = await openDatabase()

const trusted = join(await openFolder(), "authority.pem")

await writeFile(trusted, authority)

const serve = () => openService(database, { WEBHOOK_SECRET: secret, NODE_EXTRA_CA_CERTS: trusted }, program)

const service = await serve()

const owner = await database.connect("superuser")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

const recordUpdated = `insert into outbox (kind, subject_id, veteran_id)
  select 'record_updated', id, veteran_id from consent_grants where id = any ($1::uuid[])`

const kinds = "kind in ('grant_revoked', 'grant_expired', 'record_updated')"

afterEach(() => owner.query("delete from outbox"))

const waiting = async (grantId?: string) =>
  (await owner.query(`select * from outbox where ${kinds} and ($1::uuid is null or subject_id = $1) order by due_at`, [
    grantId
  ])).rows

const allTold = () => until("nothing waits", async () => (await waiting()).length === 0)

/** Makes all messages due now, and sets their number of attempts. */
const hurry = (tries = "attempts") => owner.query(`update outbox set due_at = now(), attempts = ${tries}`)

/** Verifies a message with only the standard's library and the key from the registration. */
const verified = ({ id }: RegisteredApp, { body, headers }: Told): any => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `vrss/1/webhook/${id}`, 32)).toString("base64")
  return new Webhook(`whsec_${key}`).verify(body, headers as Record<string, string>)
}

const expire = async (grantId: string) => {
  await owner.query("update consent_grants set expires_at = now() - interval '2 hours' where id = $1", [grantId])
  await owner.query("select app.sweep('grants', '1 hour', 100)")
}

describe("An app gets a message, signed like Standard Webhooks,", () => {
  test("that its grant was revoked or expired, or a sync was stored, with only the grant's id", async () => {
    const receiver = await used(openReceiver())
    const app = await registerApp(owner, { webhookUrl: receiver.url() })
    const [first, second] = [await connectApp(owner, veteran, app), await connectApp(owner, veteran, app)]
    await connectApp(owner, veteran, await registerApp(owner))
    await postSync(service, veteran, { Condition: "empty" })
    await until("both are told", async () => receiver.told.length === 2)
    await revoke(service, veteran, { id: first.grantId })
    await until("it is told", async () => receiver.told.length === 3)
    await expire(second.grantId)
    await until("all is told", async () => receiver.told.length === 4)
    const messages = receiver.told.map((one) => verified(app, one))
    for (const [index, { headers, url }] of receiver.told.entries()) {
      assert.strictEqual(url, "/hook?of=app")
      assert.strictEqual(headers["content-type"], "application/json")
      assert.closeTo(Date.parse(messages[index].timestamp), Date.now(), 60_000)
    }
    const told = messages.map(({ data, timestamp: _, type }) => ({ type, data }))
    assert.sameDeepMembers(
      told.slice(0, 2),
      [first, second].map(({ grantId }) => ({
        type: "record.updated",
        data: { grantId }
      }))
    )
    assert.deepStrictEqual(told.slice(2), [
      { type: "grant.revoked", data: { grantId: first.grantId } },
      { type: "grant.expired", data: { grantId: second.grantId } }
    ])
    assert.strictEqual(new Set(receiver.told.map(({ headers }) => headers["webhook-id"])).size, 4)
    const other = await registerApp(owner)
    assert.throws(() => verified(other, receiver.told[0]!))
    await allTold()
  })

  test("about a sync that is stored while the previous message is being sent", async () => {
    const receiver = await used(openReceiver(0))
    const app = await registerApp(owner, { webhookUrl: receiver.url() })
    const { grantId } = await connectApp(owner, veteran, app)
    await postSync(service, veteran, { Condition: "empty" })
    await until("it is on its way", async () => receiver.told.length === 1)
    for (const _ of "12") await postSync(service, veteran, { Condition: "empty" })
    assert.lengthOf(await waiting(grantId), 2)
    await receiver.close()
    await until(
      "it has failed",
      async () => (await waiting(grantId)).every(({ due_at }) => due_at < Date.now() + 60_000)
    )
  })
})

describe("A receiver", () => {
  test("that refuses or redirects gets the same message later, ten times at most", async () => {
    const receiver = await used(openReceiver(500, 302, 404, 503, 500))
    const app = await registerApp(owner, { webhookUrl: receiver.url() })
    const { grantId } = await connectApp(owner, veteran, app)
    await revoke(service, veteran, { id: grantId })
    const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [index, tries] of [1, 2, 3, 9].entries()) {
      const [row] = await until(`try ${tries} was refused`, async () => {
        const refused = service.output().split(`the webhook of app ${app.id} answers`).length - 1
        // `due_at` is the time of the next attempt. During an attempt, it is five minutes away.
        const rows = await waiting(grantId)
        return refused === index + 1 && rows[0].attempts === tries && rows
      })
      assert.closeTo((row.due_at - Date.now()) / 1_000, pauses[tries - 1]!, 10)
      await hurry(tries === 3 ? "8" : undefined)
    }
    const givenUp = `the webhook of app ${app.id} answers 500; given up after ten tries`
    await until("it is given up", async () => service.output().includes(givenUp) && (await waiting()).length === 0)
    assert.lengthOf(receiver.told, 5)
    assert.deepStrictEqual([...new Set(receiver.told.map(({ url }) => url))], ["/hook?of=app"])
    assert.strictEqual(new Set(receiver.told.map(({ headers }) => headers["webhook-id"])).size, 1)
    assert.include(service.output(), `grant_revoked: the webhook of app ${app.id} answers 302; it is tried again`)
    assert.notInclude(service.output(), "loopback.example")
  })

  test("that answers 410 gets no further message", async () => {
    const receiver = await used(openReceiver(410))
    const app = await registerApp(owner, { webhookUrl: receiver.url() })
    const grants: Array<string> = []
    for (let n = 0; n < 3; n++) grants.push((await connectApp(owner, veteran, app)).grantId)
    await owner.query(recordUpdated, [grants])
    await allTold()
    await revoke(service, veteran, { id: grants[0]! })
    assert.deepStrictEqual(await waiting(), [])
    assert.lengthOf(receiver.told, 1)
  })

  test("at a private address, at a name that resolves to one, or without TLS is never contacted", async () => {
    const receiver = await used(openReceiver())
    const port = new URL(receiver.url()).port
    const hosts = ["inside.example", "half-inside.example", "127.0.0.1", "[::1]", "[::ffff:7f00:1]", "169.254.169.254",
      "0x7f.1", "100.64.0.1"]
    const urls = [...hosts.map((host) => `https://${host}:${port}/`), `http://app.loopback.example:${port}/`]
    const apps: Array<RegisteredApp> = []
    for (const webhookUrl of urls) apps.push(await registerApp(owner, { webhookUrl }))
    for (const app of apps) await revoke(service, veteran, { id: (await connectApp(owner, veteran, app)).grantId })
    for (const [index, { id }] of apps.entries()) {
      const why = index < hosts.length ? "its address is not public" : "it has no https"
      await logged(service, `the webhook of app ${id} cannot be reached (${why})`)
    }
    assert.strictEqual(receiver.most(), 0)
  })

  test("whose certificate names another host is not trusted", async () => {
    const receiver = await used(openReceiver())
    const app = await registerApp(owner, { webhookUrl: receiver.url("a.b") })
    await revoke(service, veteran, { id: (await connectApp(owner, veteran, app)).grantId })
    await logged(service, `the webhook of app ${app.id} cannot be reached (ERR_TLS_CERT_ALTNAME_INVALID)`)
    assert.lengthOf(receiver.told, 0)
  })

  test("that refuses has at most two messages waiting per grant, however many syncs there were", async () => {
    const receiver = await used(openReceiver(...Array(20).fill(500)))
    const app = await registerApp(owner, { webhookUrl: receiver.url() })
    const { grantId } = await connectApp(owner, veteran, app)
    for (let n = 1; n <= 3; n++) {
      await postSync(service, veteran, { Condition: "empty" })
      await until("it was refused", async () => receiver.told.length >= n)
      assert.isAtMost((await waiting(grantId)).length, 2)
    }
    await revoke(service, veteran, { id: grantId })
    await hurry()
    // An app that may no longer read a record gets no news of it.
    await until(
      "the grant's end is left",
      async () => (await waiting(grantId)).every(({ kind }) => kind === "grant_revoked")
    )
  })
})

test("Twenty silent receivers with five messages each delay no other receiver, and hold one connection each", async () => {
  const silent = await used(openReceiver(...Array(200).fill(0)))
  const veterans = await registerVeterans(owner, 5)
  const grants: Array<string> = []
  for (let n = 0; n < 20; n++) {
    const app = await registerApp(owner, { webhookUrl: silent.url() })
    for (const one of veterans) grants.push((await connectApp(owner, one, app)).grantId)
  }
  await owner.query(recordUpdated, [grants])
  const receiver = await used(openReceiver())
  const app = await registerApp(owner, { webhookUrl: receiver.url() })
  const { grantId } = await connectApp(owner, veteran, app)
  await until("as many as may are on their way", async () => silent.told.length === 16)
  await revoke(service, veteran, { id: grantId })
  await until("the other was told", async () => receiver.told.length === 1, 15_000)
  assert.isAtMost(silent.most(), 16)
  const told = silent.told.map(({ body }) => JSON.parse(body).data.grantId)
  assert.isAtMost(told.length, 20)
  const clients = (await owner.query("select client_id from consent_grants where id = any ($1)", [told])).rows
  assert.strictEqual(new Set(clients.map(({ client_id }) => client_id)).size, told.length)
})

test("Messages about a missing grant or to a missing app are dropped", async () => {
  const receiver = await used(openReceiver())
  const app = await registerApp(owner, { webhookUrl: receiver.url() })
  const { grantId } = await connectApp(owner, veteran, app)
  await owner.query("update oauth_clients set disabled_at = now() where id = $1", [app.id])
  await owner.query(
    "insert into outbox (kind, subject_id, veteran_id) values ('grant_expired', $1, $3), ('grant_revoked', $2, $3)",
    [grantId, randomUUID(), veteran.id]
  )
  await allTold()
  assert.lengthOf(receiver.told, 0)
})

test("If a process is killed while a receiver is silent, the next process sends the message", async () => {
  const receiver = await used(openReceiver(0))
  const app = await registerApp(owner, { webhookUrl: receiver.url() })
  const { grantId } = await connectApp(owner, veteran, app)
  await revoke(service, veteran, { id: grantId })
  await until("it is on its way", async () => receiver.told.length === 1)
  await service.stop("SIGKILL")
  await serve()
  assert.isAbove((await waiting())[0].due_at - Date.now(), 60_000)
  await hurry()
  await allTold()
  assert.deepStrictEqual(receiver.told.map(({ headers }) => headers["webhook-id"]), [
    receiver.told[0]!.headers["webhook-id"],
    receiver.told[0]!.headers["webhook-id"]
  ])
  assert.strictEqual(verified(app, receiver.told[1]!).type, "grant.revoked")
})
