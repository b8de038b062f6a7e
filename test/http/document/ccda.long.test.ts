import { readFile, writeFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { assertCda } from "../../support/CdaSchema.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { inHand, workersOf } from "../../support/Processes.ts"
import { sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { acceptedNow, of } from "../release/ReleasedRecords.ts"
import { download, sign, signed } from "../release/Releases.ts"
import { replaceRecord } from "./Copies.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const count = 20_000

const observation = (index: number, members: object, note: string) =>
  JSON.stringify({
    resourceType: "Observation",
    id: `o${index}`,
    ...members,
    status: "final",
    category: [{ coding: [{ code: "laboratory" }] }],
    code: { coding: [{ system: "http://loinc.org", code: `${index % 50}-7`, display: `Test ${index % 50}` }] },
    effectiveDateTime: "2024-05-06T07:08:09Z",
    valueQuantity: { value: index, unit: "mg/dL", system: "http://unitsofmeasure.org", code: "mg/dL" },
    note: [{ text: note }]
  })

/** The largest memory of a process since its peak was reset, in MiB; 0 if the process is gone. */
const peakOf = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, "5")

const workerOnce = async () => {
  await until("the process has started", async () => workersOf(service, "translations").length === 1)
  return workersOf(service, "translations")[0]!
}

describe("the largest release, of 20,000 items, as C-CDA", () => {
  test("is translated by a process of less than 900 MB, while the service answers and grows by less than 200 MB", {
    timeout: 600_000
  }, async () => {
    const veteran = await signInVeteran(service)
    const hiv = { meta: { security: [{ system: "http://terminology.hl7.org/CodeSystem/v3-ActCode", code: "HIV" }] } }
    const items = (count: number, note: string) =>
      Array.from({ length: count }, (_, index) => observation(index, index < 10 ? hiv : {}, note))
    await sync(service, veteran, { Observation: "complete" }, { Observation: items(count + 10, "x") })
    // Withheld items do not count.
    const refused = await sign(service, veteran, { ...of("Observation"), sensitiveCategories: acceptedNow("hiv") })
    assert.deepStrictEqual([refused.status, refused.json.error, refused.json.message], [
      409,
      "conflict",
      "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates."
    ])
    const { document } = await signed(service, veteran, of("Observation"))
    await replaceRecord(service, superuser, document.id, items(count + 10, "x".repeat(1500)).slice(10))
    const translating = download(service, veteran, `/api/veteran/me/documents/${document.id}/ccda`)
    await inHand(service, "translations", 1)
    await resetPeak(service.process.pid!)
    const before = await peakOf(service.process.pid!)
    const worker = await workerOnce()
    let answers = 0
    let peak = 0
    for (;;) {
      const first = await Promise.race([translating, call(service, "GET", "/health")])
      if ("bytes" in first) break
      assert.strictEqual(first.status, 200)
      answers++
      peak = Math.max(peak, await peakOf(worker))
    }
    const { bytes, status } = await translating
    assert.strictEqual(status, 200, bytes.toString("utf8", 0, 200))
    assertCda(bytes.toString())
    assert.strictEqual([...bytes.toString().matchAll(/<entry>/g)].length, count)
    assert.isAbove(answers, 0)
    const grown = await peakOf(service.process.pid!) - before
    assert.isAbove(peak, 50, "the process was seen")
    assert.isBelow(peak, 850)
    assert.isBelow(grown, 190)
  })

  test("that is too large as C-CDA is 409, and its record can be had", { timeout: 600_000 }, async () => {
    const veteran = await signInVeteran(service)
    // Each of these characters takes five in XML. A longer note would be shortened.
    const note = "&".repeat(4000)
    const texts = Array.from({ length: 7000 }, (_, index) => observation(index, {}, note))
    const { document } = await signed(service, veteran, { incompleteRecordConfirmed: true })
    await replaceRecord(service, superuser, document.id, texts)
    const refused = await download(service, veteran, `/api/veteran/me/documents/${document.id}/ccda`)
    const { error, message } = JSON.parse(refused.bytes.toString())
    assert.deepStrictEqual([refused.status, error, message], [
      409,
      "conflict",
      "This release cannot be translated to C-CDA. Download its record as FHIR instead."
    ])
    const record = await download(service, veteran, `/api/veteran/me/documents/${document.id}/record`)
    assert.strictEqual(record.status, 200)
  })
})
