import { randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { connectApp, get, observation, syncAndConnect } from "./Apps.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const tagOf = async (...read: Parameters<typeof get>) => (await get(...read)).headers.get("etag")!

describe("An ETag", () => {
  test("differs for another veteran, id or text, and is the same again when the text is restored", async () => {
    const texts = { Observation: [observation("a"), observation("b")] }
    const [one, other] = [await syncAndConnect(service, owner, texts), await syncAndConnect(service, owner, texts)]
    const tags = [
      await tagOf(service, one.app, "/Observation/a"),
      await tagOf(service, one.app, "/Observation/b"),
      await tagOf(service, other.app, "/Observation/a")
    ]
    const amended = { Observation: [observation("a", { status: "amended" })] }
    await sync(service, one.veteran, { Observation: "complete" }, amended)
    tags.push(await tagOf(service, one.app, "/Observation/a"))
    assert.strictEqual(new Set(tags).size, 4)
    await sync(service, one.veteran, { Observation: "complete" }, texts)
    assert.strictEqual(await tagOf(service, one.app, "/Observation/a"), tags[0])
    // An app with another grant gets the same ETag for the same text.
    const second = await connectApp(service, owner, one.veteran)
    assert.strictEqual(await tagOf(service, second, "/Observation/a"), tags[0])
  })

  test("is compared before the text is fetched", async () => {
    const { app, veteran } = await syncAndConnect(service, owner, { Observation: [observation("a")] })
    const tag = await tagOf(service, app, "/Observation/a")
    await superuser.query(
      "update health_record_items set raw_ciphertext = sha512('nothing that opens') where veteran_id = $1",
      [veteran.id]
    )
    assert.strictEqual((await get(service, app, "/Observation/a")).status, 500)
    for (const known of [tag, tag.slice(2), "*", `"x", ${tag}`]) {
      const answer = await get(service, app, "/Observation/a", { "if-none-match": known })
      assert.deepStrictEqual([answer.status, answer.text, answer.headers.get("etag")], [304, "", tag])
    }
    const { rows } = await superuser.query(
      "select count(*)::int from proofs where veteran_id = $1 and kind = 'oauth_access_used'",
      [veteran.id]
    )
    assert.isAtLeast(rows[0].count, 1)
  })

  test("reveals nothing about items outside the categories of a scope", async () => {
    const { veteran } = await syncAndConnect(service, owner, { Observation: [observation("a")] })
    const scope = "patient/Observation.rs?category=s|c"
    const narrow = await connectApp(service, owner, veteran, { scope, types: ["Observation"] })
    const wide = await connectApp(service, owner, veteran)
    for (const known of ["*", await tagOf(service, wide, "/Observation/a")]) {
      assert.strictEqual((await get(service, narrow, "/Observation/a", { "if-none-match": known })).status, 404)
      assert.strictEqual((await get(service, narrow, "/Observation/none", { "if-none-match": known })).status, 404)
    }
  })
})

describe("A large resource", () => {
  test("that one app reads in twelve parallel requests does not block other clients", async () => {
    // Compression halves this text.
    const text = observation("w", { note: [{ text: randomBytes(5 * 1024 * 1024).toString("hex") }] })
    const { app } = await syncAndConnect(service, owner, { Observation: [text] })
    const bystander = await syncAndConnect(service, owner, { Condition: [resource("Condition", "c")] })
    const crowd = { isOver: false }
    const reads = Array.from({ length: 12 }, () => get(service, app, "/Observation/w"))
    const all = Promise.all(reads).finally(() => {
      crowd.isOver = true
    })
    do {
      const own = await call(service, "GET", "/api/veteran/me/health-record", bystander.veteran)
      const one = await get(service, bystander.app, "/Condition/c")
      assert.deepStrictEqual([own.status, one.status], [200, 200])
    } while (!crowd.isOver)
    const answers = await all
    // A 503 is allowed: a client that requests a lot may be told to try again.
    assert.deepStrictEqual(answers.filter(({ status }) => status !== 200 && status !== 503), [])
    const whole = answers.filter(({ status }) => status === 200)
    assert.isAtLeast(whole.length, 1)
    for (const answer of whole) assert.strictEqual(answer.text === text, true)
  })
})
