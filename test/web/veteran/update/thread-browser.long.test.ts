import { Effect } from "effect"
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { assert, describe, test } from "vitest"
import { veteran as site } from "../../../../src/pages/Sites.ts"
import { bundle, condition, entry } from "../../../client/Upstream.ts"
import { atEnd } from "../../../support/App.ts"
import { fixtures, folderOf, patients, patientTexts } from "../../../support/Collection.ts"
import { readRecord } from "../../../support/Sync.ts"
import { until } from "../../../support/Until.ts"
import { parsed } from "./Gate.ts"
import { digest, openThreads, openVa } from "./Threads.ts"
import { nothingStored, storedBy, workerFile } from "./WorkerPage.ts"

const { open: openFor, service } = await openThreads()
const va = await openVa(fixtures)

const open = (patientId: string, fhirBase = va.baseUrl) => openFor(patientId, fhirBase)

const idOf = (text: string): string => JSON.parse(text).id

const everyType = (patient: string) => ({ resourceTypes: [...Object.keys(patientTexts(patient)), "Goal"], begin: null })

test("The thread of an update takes at most 45,000 bytes, and loads nothing more", () => {
  const text = readFileSync(join(site.folder, workerFile()), "utf8")
  assert.isAtMost(statSync(join(site.folder, `${workerFile()}.br`)).size, 45_000)
  assert.notMatch(text, /\b(?:import|importScripts|require)\s*\(|\bimport\s*["'{*]/)
})

/** One generator made many patients, which differ in their size: a small one and a large one are enough. */
const ofGenerator = ["syn-zandra428-ohara248", "syn-kristie55-treutel973"]

const tried = patients.filter((patient) =>
  folderOf(patient) === fixtures && (!patient.startsWith("syn-") || ofGenerator.includes(patient))
)

describe("An update in a browser", () => {
  test.each(tried)(
    "stores the exact texts of %s, and sends only digests when nothing changed",
    async (patient) => {
      const { gate, page, source, thread, veteran } = await open(patient)
      const task = everyType(patient)
      assert.deepStrictEqual(await thread.start(source, task), { how: "done" })
      const first = await readRecord(service, veteran)
      const lists = Object.values(patientTexts(patient)).map((texts) =>
        new Map(texts.map((text) => [idOf(text), text]))
      )
      const [stored, sent] = [first.items.map(({ text }) => text), lists.flatMap((list) => [...list.values()])]
      assert.deepStrictEqual([stored.length, digest(stored)], [sent.length, digest(sent)])
      assert.deepStrictEqual(await thread.again(task), { how: "done" })
      const second = await readRecord(service, veteran)
      assert.isTrue(isDeepStrictEqual(second.items, first.items))
      if (patient === "syn-kristie55-treutel973") assert.isBelow(gate.bodies.at(-1)!.length, 1500)
      const { resources, unchanged } = parsed(gate.bodies.at(-1)!)
      for (const type of Object.keys(unchanged)) assert.notProperty(resources, type)
      const complete = Object.entries(first.manifest).filter(([, { lastFetch }]: any) => lastFetch === "complete")
      assert.deepStrictEqual(Object.keys(unchanged).toSorted(), complete.map(([type]) => type).toSorted())
      assert.deepStrictEqual(await storedBy(page), nothingStored)
    }
  )

  test("sends what waits when the page is hidden", async () => {
    const { gate, source, thread } = await open("va-mock-986297")
    const types = Object.keys(patientTexts("va-mock-986297"))
    const [held = ""] = types
    await Effect.runPromise(va.script(held, [{ times: 1, answer: "hang" }]))
    await thread.ask({ ask: "start", source, task: { resourceTypes: types, begin: null } })
    await until("the others are loaded", async () => {
      const kinds = [...(await thread.kinds()).values()]
      return kinds.length === types.length && kinds.filter(({ step }) => step === "sending").length === types.length - 1
    })
    assert.lengthOf(gate.bodies, 0)
    await thread.ask({ ask: "hidden" })
    await until("the sync arrived", async () => gate.answers.length === 1)
    assert.notInclude(Object.keys(parsed(gate.bodies[0]!).fhirResourceFetchStatuses), held)
  })

  test("names no kind that was not sent when the page is closed", async () => {
    const { context, gate, source, thread, veteran } = await open("syn-zandra428-ohara248")
    const task = everyType("syn-zandra428-ohara248")
    await thread.start(source, task)
    const before = await readRecord(service, veteran)
    await Effect.runPromise(va.script("Observation", [{ times: 1, answer: "hang" }]))
    await thread.ask({ ask: "again", task })
    const sent = gate.bodies.length
    await until(
      "another kind is loaded",
      async () => [...(await thread.kinds()).values()].filter(({ step }) => step === "sending").length > 3
    )
    await context.close()
    await new Promise((resume) => setTimeout(resume, 300))
    await Effect.runPromise(va.script("Observation", []))
    assert.lengthOf(gate.bodies, sent)
    assert.deepStrictEqual(await readRecord(service, veteran), before)
  })

  test("leaves nothing of the VA's answers in the browser's cache", async () => {
    let asked = 0
    const server = createServer((request, response) => {
      response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "authorization")
      if (request.method === "OPTIONS") return void response.end()
      asked++
      response.setHeader("cache-control", "max-age=3600")
      response.end(bundle([entry(condition("a"))]))
    })
    await once(server.listen(0, "localhost"), "listening")
    atEnd(() => server.close().closeAllConnections())
    const { source, thread } = await open("p", `http://localhost:${(server.address() as AddressInfo).port}`)
    const task = { resourceTypes: ["Condition"], begin: null }
    await thread.start(source, task)
    await thread.again(task)
    assert.strictEqual(asked, 2)
  })
})
