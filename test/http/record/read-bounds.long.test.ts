import { randomBytes } from "node:crypto"
import { zstdCompressSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { readRecord, sync, syncBody, syncPath } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"
import { coded, condition, every } from "./ReadBounds.ts"

const { service } = await openApp()

describe("An item with a code, system or reference longer than the service reads", () => {
  const names = (n: number) => Array.from({ length: 300 }, (_, id) => `Aa/${n}x${id}`).join("/")

  const long: ReadonlyArray<readonly [what: string, content: object]> = [
    ["a code of 20,000,000 characters, each of which grows to 18", coded("\ufdfa".repeat(20_000_000))],
    ["14,000 references of 300 names each", {
      entry: Array.from({ length: 14_000 }, (_, n) => ({ item: { reference: names(n) } }))
    }]
  ]

  test.each(long)("is stored and does not crash the service: %s", async (_, content) => {
    const veteran = await signInVeteran(service)
    const body = zstdCompressSync(syncBody({ Condition: "complete" }, { Condition: [condition("c", content)] }))
    const answer = await call(service, "POST", syncPath, {
      headers: { ...veteran.headers, "content-encoding": "zstd", "content-type": "application/json" },
      body
    })
    assert.strictEqual(answer.status, 200, answer.text)
    const health = await call(service, "GET", "/health")
    assert.strictEqual(health.status, 200)
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider, { sensitiveCategories: every.slice(1) })
    const seen = await readPatientRecord(service, provider, veteran)
    assert.deepStrictEqual(seen.json.sections.map(({ itemCount }: any) => itemCount), [0])
  }, 60_000)
})

test("A resource of 30 MB that does not compress is read exactly as it was sent", async () => {
  const veteran = await signInVeteran(service)
  const text = condition("large", { note: [{ text: randomBytes(22_000_000).toString("base64") }] })
  await sync(service, veteran, { Condition: "complete" }, { Condition: [text] })
  const { items } = await readRecord(service, veteran)
  assert.isTrue(items.length === 1 && items[0]!.text === text)
})
