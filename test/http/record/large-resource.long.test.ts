import { randomBytes } from "node:crypto"
import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { readRecord, sync } from "../../support/Sync.ts"

const { service } = await openApp()

test("A resource of 30 MB that does not compress is read exactly as it was sent", async () => {
  const veteran = await signInVeteran(service)
  const text = JSON.stringify({
    resourceType: "Observation",
    id: "large",
    note: [{ text: randomBytes(22_000_000).toString("base64") }]
  })
  await sync(service, veteran, { Observation: "complete" }, { Observation: [text] })
  const { items } = await readRecord(service, veteran)
  assert.isTrue(items.length === 1 && items[0]!.text === text)
})
