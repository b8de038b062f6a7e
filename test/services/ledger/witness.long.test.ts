import { Webhook } from "standardwebhooks"
import { assert, test } from "vitest"
import { generateKey } from "../../../src/services/ledger/SignedNote.ts"
import { drain, textOf, writeEvents } from "../../http/ledger/Drained.ts"
import { openDatabase, used } from "../../support/App.ts"
import { registerVeterans } from "../../support/Client.ts"
import { startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { openWitness, type Told } from "../oauth/Receivers.ts"

const secret = "a secret that the witness knows, of enough bytes"

const signingKey = generateKey("records.example.org/disclosures")!

const webhook = new Webhook(Buffer.from(secret).toString("base64"))

const database = await openDatabase()

const owner = await database.connect("superuser")

const [veteran] = await registerVeterans(owner, 1)

const serve = async (environment: Record<string, string>) => {
  const service = await startService(database, {
    WEBHOOK_SECRET: secret,
    // With separate keys each process would sign the tree anew.
    PROOF_SIGNING_KEY: signingKey,
    ...environment
  })
  return used(Promise.resolve({ ...service, close: () => service.stop() }))
}

const waiting = async () =>
  (await owner.query("select * from outbox where kind = 'checkpoint_signed' order by created_at")).rows

const verified = ({ body, headers }: Told): any => webhook.verify(body, headers as Record<string, string>)

test("The witness is sent each new checkpoint, signed as Standard Webhooks require", async () => {
  const witness = await used(openWitness())
  const service = await serve({ WITNESS_URL: witness.url })
  await writeEvents(owner, veteran!.id, 1)
  const { treeSize } = await drain(service)
  await until("the witness was told", async () => witness.told.length === 1)
  const [{ headers }] = witness.told as [Told]
  const message = verified(witness.told[0]!)
  assert.strictEqual(headers["content-type"], "application/json")
  assert.deepStrictEqual(message, {
    type: "checkpoint.signed",
    timestamp: message.timestamp,
    data: { treeSize, checkpoint: await textOf(service, "/api/proofs/checkpoint") }
  })
  const { rows } = await owner.query("select id, created_at from proof_checkpoints")
  assert.deepStrictEqual(rows, [{ id: headers["webhook-id"], created_at: new Date(message.timestamp) }])
  // A drain without a new event makes neither a checkpoint nor a message.
  await drain(service)
  assert.deepStrictEqual(await waiting(), [])
  assert.throws(() => webhook.verify(`${witness.told[0]!.body} `, headers as Record<string, string>))
})

test("A witness that refuses, redirects or is down gets the same message later, and delays no mail", async () => {
  const witness = await used(openWitness(500, 302))
  const service = await serve({ WITNESS_URL: witness.url })
  await writeEvents(owner, veteran!.id, 1)
  await drain(service)
  for (const [attempt, why] of [[1, "answers 500"], [2, "cannot be reached"]] as const) {
    await until("it was refused", async () => witness.told.length === attempt)
    await until("it is put off", async () => {
      const [{ attempts, due_at }] = await waiting()
      // During an attempt, `due_at` is five minutes away. Once the refusal is stored, it is less than two minutes away.
      return service.output().includes(why) && attempts === attempt && due_at < new Date(Date.now() + 120_000)
    })
    await owner.query("update outbox set due_at = now()")
  }
  await until("it was taken", async () => (await waiting()).length === 0)
  assert.strictEqual(new Set(witness.told.map(({ headers }) => headers["webhook-id"])).size, 1)
  assert.strictEqual(verified(witness.told[2]!).type, "checkpoint.signed")
  assert.notInclude(service.output(), witness.url)
})

test("Without a witness no message is sent, and waiting ones are dropped", async () => {
  await owner.query(
    "insert into outbox (kind, subject_id) select 'checkpoint_signed', id from proof_checkpoints limit 1"
  )
  const service = await serve({})
  await writeEvents(owner, veteran!.id, 1)
  await drain(service)
  await until("it was let go", async () => (await waiting()).length === 0)
})
