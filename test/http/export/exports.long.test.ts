import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readdir, readFile } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, test } from "vitest"
import { openFolder } from "../../support/App.ts"
import { sync } from "../../support/Sync.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { linesOf, signInByApp, unpack } from "./Exports.ts"

const { service, va } = await openVaApp()

const folder = await openFolder()

const mebibyte = 1024 * 1024

/** The memory of the service's process in MiB. */
const memory = async () => {
  const status = await readFile(`/proc/${service.process.pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1024
}

/** Resources that do not compress, of about 200 kB each. */
const binaries = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `{"resourceType":"Binary","id":"b${n}","data":"${randomBytes(150_000).toString("base64")}"}`
  )

test(
  "A large record is exported whole, in memory that does not depend on its size",
  async () => {
    const veteran = await signInByApp(service, va)
    const texts: Record<string, ReadonlyArray<string>> = {}
    for (const type of ["Binary", "Media", "DocumentReference", "Observation"]) {
      texts[type] = binaries(220).map((text) => text.replace("Binary", type))
      await sync(service, veteran, { [type]: "complete" }, { [type]: texts[type]! })
    }
    await setTimeout(5_000)
    const before = await memory()
    const sent = request(`${service.url}/api/veteran/me/exports`, { method: "POST", headers: veteran.headers }).end()
    const [response] = await once(sent, "response")
    assert.strictEqual(response.statusCode, 200)
    response.pause()
    await setTimeout(5_000)
    let most = before
    const chunks: Array<Buffer> = []
    let bytes = 0
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (chunks.length % 200 === 0) most = Math.max(most, await memory())
    }
    assert.isAbove(bytes, 120 * mebibyte)
    // The texts take 170 MiB.
    assert.isBelow(most - before, 140)
    const files = await unpack(Buffer.concat(chunks), folder)
    for (const [type, list] of Object.entries(texts)) {
      assert.deepStrictEqual(linesOf(files.get(`record/${type}.ndjson`)).toSorted(), list.toSorted(), type)
    }
    // The scratch file never had a name, so that nothing of it is left.
    assert.deepStrictEqual(await readdir(join(service.directory, ".data/uploads/tmp")), [])
  },
  300_000
)
