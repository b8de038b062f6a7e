import { createHash } from "node:crypto"
import { assert, describe, test } from "vitest"
import { verifyConsistency, verifyInclusion } from "../../../src/services/ledger/ExportedProof.ts"
import { parsePublicKey } from "../../../src/services/ledger/SignedNote.ts"
import { openOwnApp } from "../../support/App.ts"
import { asAdmin, asDrainer, call, randomAddress, registerVeterans, signIn } from "../../support/Client.ts"
import { spendPermits } from "../../support/Permits.ts"
import { logged } from "../../support/Until.ts"
import { assertWhole, drain, proofOf, textOf, undrained, writeEvents } from "./Drained.ts"

const { database, service } = await openOwnApp()

const owner = await database.connect("superuser")

const veteran = async () => {
  const [registered] = await registerVeterans(owner, 1)
  return signIn(service, registered!)
}

const key = parsePublicKey((await textOf(service, "/api/proofs/key")).trim())!

const consistency = (from: unknown, to: unknown) =>
  call(service, "GET", `/api/proofs/consistency?from=${from}&to=${to}`)

const messages = (answer: Awaited<ReturnType<typeof call>>) => answer.json.issues.map(({ message }: any) => message)

describe("The tree of a new service", () => {
  test("has a signed checkpoint of no leaves, and nothing to drain", async () => {
    const answer = await call(service, "GET", "/api/proofs/checkpoint")
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "text/plain; charset=utf-8")
    assert.match(
      answer.text,
      /^localhost\/disclosures-in-development\n0\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— localhost\/disclosures-in-development \S+\n$/
    )
    assert.deepStrictEqual(await drain(service), { drained: 0, treeSize: 0 })
    assert.deepStrictEqual((await consistency(0, 0)).json, { from: 0, to: 0, hashes: [] })
  })
})

describe("POST /api/internal/proofs/drain", () => {
  test("accepts only the right secret", async () => {
    const { json, status } = await call(service, "POST", "/api/internal/proofs/drain", {
      headers: { "x-proof-drainer-secret": `${asDrainer["x-proof-drainer-secret"]} `.repeat(2) }
    })
    assert.deepStrictEqual([status, json.message], [401, "The header 'x-proof-drainer-secret' is missing or wrong."])
  })

  test("accepts 60 calls a minute from one address, including those with a wrong secret", async () => {
    const address = randomAddress()
    const statuses = new Set<number>()
    for (let n = 0; n < 61; n++) {
      const { status } = await call(service, "POST", "/api/internal/proofs/drain", {
        headers: { "x-forwarded-for": address }
      })
      statuses.add(status)
      assert.strictEqual(status, n < 60 ? 401 : 429)
    }
    assert.deepStrictEqual([...statuses], [401, 429])
  })

  test("drains many events of one veteran in one call, in several batches", async () => {
    const { id } = await veteran()
    const { treeSize } = await drain(service)
    // The service also drains by itself, so that the call itself may drain fewer.
    await writeEvents(owner, id, 1500)
    // A batch has 1,000 events. A busy machine does not drain all of them within the ten seconds of a call.
    assert.isAbove((await drain(service)).treeSize - treeSize, 1000)
    while ((await drain(service)).drained > 0);
    assert.deepStrictEqual(await drain(service), { drained: 0, treeSize: treeSize + 1500 })
    assert.strictEqual(await assertWhole(owner), treeSize + 1500)
  })

  test("accepts neither a body nor a parameter", async () => {
    const headers = asDrainer
    assert.strictEqual((await call(service, "POST", "/api/internal/proofs/drain?a=1", { headers })).status, 400)
    assert.strictEqual(
      (await call(service, "POST", "/api/internal/proofs/drain", { headers, body: { a: 1 } })).status,
      400
    )
  })
})

test("The tree may be read 600 times a minute from one address", async () => {
  const headers = { "x-forwarded-for": randomAddress() }
  const ask = () => call(service, "GET", "/api/proofs/consistency?from=0&to=0", { headers })
  assert.strictEqual((await ask()).status, 200)
  await spendPermits(owner, 579)
  const answers = await Promise.all(Array.from({ length: 21 }, ask))
  assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array(20).fill(200), 429])
})

describe("A proof", () => {
  test("answers 409 until the event is drained; then it contains the event's index and verifies", async () => {
    const reader = await veteran()
    const { early, id } = await undrained(await database.connect("superuser"), async () => {
      const [id] = await writeEvents(owner, reader.id, 3)
      return { early: await proofOf(service, reader, id!), id }
    })
    assert.strictEqual(early.status, 409)
    assert.deepStrictEqual({ ...early.json, requestId: "" }, {
      error: "conflict",
      message: "The event is not in the tree yet: ask again in a minute or two.",
      requestId: ""
    })
    const { treeSize } = await drain(service)
    const answer = await proofOf(service, reader, id!)
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.deepStrictEqual(Object.keys(answer.json), [
      "leaf",
      "salt",
      "leafHash",
      "index",
      "treeSize",
      "hashes",
      "checkpoint"
    ])
    assert.strictEqual(answer.json.treeSize, treeSize)
    assert.strictEqual(
      answer.json.leafHash,
      createHash("sha256").update("\0").update(answer.json.leaf).digest("base64")
    )
    assert.strictEqual(answer.json.checkpoint, await textOf(service, "/api/proofs/checkpoint"))
    const leaf = JSON.parse(answer.json.leaf)
    assert.deepStrictEqual(Object.keys(leaf), ["actor", "at", "documentId", "id", "kind", "n", "salt", "v",
      "veteranId"])
    assert.deepStrictEqual({ ...leaf, at: "", salt: "", documentId: "" }, {
      actor: { id: reader.id, kind: "veteran" },
      at: "",
      documentId: "",
      id,
      kind: "document_read",
      n: 1,
      salt: "",
      v: 1,
      veteranId: reader.id
    })
    assert.match(leaf.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(leaf.salt, /^[\w-]{43}$/)
    assert.strictEqual(leaf.salt, answer.json.salt)
    assert.deepStrictEqual(verifyInclusion(answer.text, undefined, key), {
      valid: true,
      sentence: `the event ${id} (document_read, ${leaf.at}) is number ${
        answer.json.index + 1
      } of the ${treeSize} events of ${key.name}`
    })
  })

  test("as text is a tlog-proof that does not contain the event", async () => {
    const reader = await veteran()
    const [id] = await writeEvents(owner, reader.id, 1)
    await drain(service)
    const { leaf, salt } = (await proofOf(service, reader, id!)).json
    const answer = await proofOf(service, reader, id!, "text/plain")
    assert.strictEqual(answer.status, 200)
    assert.match(answer.headers.get("content-type")!, /^text\/plain/)
    assert.match(answer.text, /^c2sp\.org\/tlog-proof@v1\nindex \d+\n/)
    assert.notInclude(answer.text, salt)
    assert.isTrue(verifyInclusion(answer.text, leaf, key).valid)
    assert.isFalse(verifyInclusion(answer.text, leaf.replace("document_read", "record_viewed"), key).valid)
  })

  test("answers 404 for an erased event, with another message than for an unknown one", async () => {
    const one = await veteran()
    const [id, erased] = await writeEvents(owner, one.id, 2)
    await drain(service)
    await owner.query("update proofs set leaf_ciphertext = null where id = $1", [erased])
    const { json, status } = await proofOf(service, one, erased!)
    assert.deepStrictEqual([status, json.error, json.message], [
      404,
      "not_found",
      "What this event says was erased: its hash is in the tree, and there is nothing left to prove."
    ])
    assert.isTrue(verifyInclusion((await proofOf(service, one, id!)).text, undefined, key).valid)
  })
})

describe("GET /api/proofs/consistency", () => {
  test("proves that each tree begins with every earlier tree, also across the edges of tiles", async () => {
    const reader = await veteran()
    const checkpoints = [await textOf(service, "/api/proofs/checkpoint")]
    for (const count of [1, 1, 254, 256, 255, 1, 1, 700]) {
      await writeEvents(owner, reader.id, count)
      await drain(service)
      checkpoints.push(await textOf(service, "/api/proofs/checkpoint"))
    }
    for (const [n, older] of checkpoints.entries()) {
      for (const newer of checkpoints.slice(n)) {
        const [from, to] = [older, newer].map((note) => note.split("\n")[1])
        const answer = await consistency(from, to)
        assert.strictEqual(answer.status, 200, answer.text)
        const verdict = verifyConsistency(older, newer, answer.text, key)
        assert.isTrue(verdict.valid, verdict.sentence)
      }
    }
  })

  test("refuses two numbers that are not sizes of this tree", async () => {
    const { treeSize } = await drain(service)
    assert.deepStrictEqual(messages(await consistency(2, 1)), ["Expected a size that is not above 'to'"])
    assert.deepStrictEqual(messages(await consistency(0, treeSize + 1)), [
      `Expected a size up to the latest checkpoint's, which is ${treeSize}`
    ])
    for (const [from, to] of [["", 1], [-1, 1], [0.5, 1], [0, "1e400"], [0, "a"], [0, 2 ** 53]] as const) {
      const answer = await consistency(from, to)
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"], `${from} ${to}`)
    }
    assert.strictEqual((await call(service, "GET", "/api/proofs/consistency")).status, 400)
    assert.strictEqual((await call(service, "GET", "/api/proofs/checkpoint?a=1")).status, 400)
  })
})

describe("An event that cannot become a leaf", () => {
  test("is set aside, reported to the operator, and delays no other event", async () => {
    const reader = await veteran()
    // The service also drains by itself. Because of the transaction, it finds either all of these events or none.
    await owner.query("begin")
    const [first, nothing, noActor, large, late, infinite, last] = await writeEvents(owner, reader.id, 7)
    await owner.query("update proofs set event = null where id = $1", [nothing])
    await owner.query(`update proofs set event = '{"actor":{"kind":"stranger"}}' where id = $1`, [noActor])
    await owner.query(
      `update proofs set event = event || jsonb_build_object('x', (select string_agg(gen_random_uuid()::text, '') from generate_series(1, 1000)))
       where id = $1`,
      [large]
    )
    await owner.query("update proofs set at = 'infinity' where id = $1", [late])
    await owner.query("update proofs set event = event || '{\"n\": 1e400}' where id = $1", [infinite])
    await owner.query("commit")
    const before = await drain(service)
    for (const id of [first, last]) assert.strictEqual((await proofOf(service, reader, id!)).status, 200)
    for (const id of [nothing, noActor, large, late, infinite]) {
      const answer = await proofOf(service, reader, id!)
      assert.deepStrictEqual([answer.status, answer.json.message], [
        409,
        "The event could not be put into the tree. The operator of the service has been told."
      ])
    }
    await logged(service, `proofs: set aside, because their event cannot be made a leaf: 5, first ${nothing}`)
    assert.deepStrictEqual(await drain(service), { drained: 0, treeSize: before.treeSize })
    const metrics = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    assert.match(metrics.text, /^proofs_drained_total \d+$/m)
    assert.match(metrics.text, new RegExp(`^proof_tree_leaves ${before.treeSize}$`, "m"))
    assert.match(metrics.text, /^proof_drainer_lag_seconds /m)
  })
})
