import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { assertCda } from "../../support/CdaSchema.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { download, signed } from "../release/Releases.ts"

const { service } = await openApp()

const count = 20_000

const observation = (index: number) =>
  JSON.stringify({
    resourceType: "Observation",
    id: `o${index}`,
    status: "final",
    category: [{ coding: [{ code: "laboratory" }] }],
    code: { coding: [{ system: "http://loinc.org", code: `${index % 50}-7`, display: `Test ${index % 50}` }] },
    effectiveDateTime: "2024-05-06T07:08:09Z",
    valueQuantity: { value: index, unit: "mg/dL", system: "http://unitsofmeasure.org", code: "mg/dL" },
    note: [{ text: "x".repeat(1500) }]
  })

describe("the largest release as C-CDA", () => {
  test("is translated in bounded memory, and other requests are answered meanwhile", { timeout: 600_000 }, async () => {
    const veteran = await signInVeteran(service)
    const texts = Array.from({ length: count }, (_, index) => observation(index))
    await sync(service, veteran, { Observation: "complete" }, { Observation: texts })
    const { document } = await signed(service, veteran, {
      information: { resourceTypes: ["Observation"], documentIds: [] }
    })
    const translating = download(service, veteran, `/api/veteran/me/documents/${document.id}/ccda`)
    let answers = 0
    for (;;) {
      const first = await Promise.race([translating, call(service, "GET", "/health")])
      if ("bytes" in first) break
      assert.strictEqual(first.status, 200)
      answers++
    }
    const { bytes, status } = await translating
    assert.strictEqual(status, 200, bytes.toString("utf8", 0, 200))
    assertCda(bytes.toString())
    assert.strictEqual([...bytes.toString().matchAll(/<entry>/g)].length, count)
    assert.isAbove(answers, 0)
  })
})
