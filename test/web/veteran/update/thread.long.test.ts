import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { bundle, entry } from "../../../client/Upstream.ts"
import { atEnd, openFolder } from "../../../support/App.ts"
import { readRecord } from "../../../support/Sync.ts"
import { writePatient } from "./Large.ts"
import { digest, openThreads, openVa } from "./Threads.ts"

const { open, service } = await openThreads()

/** What Linux says of a process; nothing if it has ended. */
const statusOf = (id: string) => {
  try {
    return readFileSync(`/proc/${id}/status`, "utf8")
  } catch {
    return ""
  }
}

const numberIn = (text: string, name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, "m").exec(text)?.[1] ?? 0)

/** The largest memory in MB that a renderer of the test's browser had so far. */
const browserPeak = () => {
  const statuses = new Map(
    readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((id) => [Number(id), statusOf(id)])
  )
  const isOurs = (id: number): boolean => {
    const parent = numberIn(statuses.get(id) ?? "", "PPid")
    return parent === process.pid || parent > 1 && isOurs(parent)
  }
  const renderers = [...statuses.keys()].filter((id) =>
    isOurs(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")
  )
  assert.isAbove(renderers.length, 0)
  return Math.max(...renderers.map((id) => numberIn(statuses.get(id)!, "VmHWM") / 1024))
}

describe("An update in a browser", () => {
  test("takes 30,072 resources in at most 400 MB, and changes none", async () => {
    const folder = await openFolder()
    const texts = writePatient(folder, "large", "syn-kristie55-treutel973", 9.5)
    const sent = Object.values(texts).flat()
    const { source, thread, veteran } = await open("large", (await openVa(folder)).baseUrl)
    const task = { resourceTypes: Object.keys(texts), begin: null }
    const ended = await thread.start(source, task)
    assert.deepStrictEqual(ended, { how: "done" }, JSON.stringify(ended))
    assert.isBelow(browserPeak(), 400)
    const { items } = await readRecord(service, veteran, { limit: "1000" })
    assert.deepStrictEqual([items.length, digest(items.map(({ text }) => text))], [sent.length, digest(sent)])
  })

  test("is complete on three devices that share 60 requests a minute", async () => {
    const types = ["Observation", "Condition", "Procedure", "Encounter"]
    const pages = 8
    let [begun, used, refused] = [0, 0, 0]
    const server = createServer(async (request, response) => {
      response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "authorization")
      if (request.method === "OPTIONS") return void response.end()
      if (Date.now() - begun >= 60_000) [begun, used] = [Date.now(), 0]
      if (++used > 60) {
        refused++
        return void response.writeHead(429).end()
      }
      const url = new URL(request.url!, base)
      const [type, page] = [url.pathname.slice(1), Number(url.searchParams.get("page") ?? 1)]
      await setTimeout(150)
      response.end(bundle(
        [entry(JSON.stringify({ resourceType: type, id: `r${page}` }))],
        { total: pages, ...(page < pages ? { next: `${base}/${type}?page=${page + 1}` } : {}) }
      ))
    })
    await once(server.listen(0, "localhost"), "listening")
    atEnd(() => server.close().closeAllConnections())
    const base = `http://localhost:${(server.address() as AddressInfo).port}`
    const devices = [await open("p", base), await open("p", base), await open("p", base)]
    await Promise.all(devices.map(({ expect, source, thread }) => {
      expect(/429/)
      return thread.start(source, { resourceTypes: types, begin: null })
    }))
    for (const { thread, veteran } of devices) {
      assert.deepStrictEqual(
        [...(await thread.kinds()).values()].map(({ count, step }) => [step, count]),
        types.map(() => ["complete", pages])
      )
      assert.lengthOf((await readRecord(service, veteran)).items, pages * types.length)
    }
    assert.isAbove(refused, 0)
  })
})
