import { readdir, readlink } from "node:fs/promises"
import { request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { openDatabase, openService, used } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import type { Service } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"
import { openVersionedBucket } from "../../support/VersionedBucket.ts"
import { createLink, verified } from "../link/Links.ts"
import { download, signed, upload } from "../release/Releases.ts"

/** The stored and unfinished files that a process has open. */
const openFiles = async ({ process: { pid } }: Service) => {
  const folder = `/proc/${pid}/fd`
  const links = await Promise.all((await readdir(folder)).map((fd) => readlink(`${folder}/${fd}`).catch(() => "")))
  return links.filter((target) => /\/(?:files|tmp)\/[0-9a-f]{32}/.test(target))
}

interface Leaving {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/** Asks, and leaves after this many bytes of the answer, or after a while. */
const leave = (service: Service, { body, headers, method, path }: Leaving, bytes: number, milliseconds: number) =>
  new Promise<void>((left) => {
    const asked = request(`${service.url}${path}`, {
      method,
      headers: { ...headers, ...body !== undefined && { "content-type": "application/json" } }
    })
    const go = () => {
      asked.destroy()
      left()
    }
    let seen = 0
    asked.on("error", go).on("close", left).on(
      "response",
      (response) =>
        response.on("error", () => {}).on("data", ({ length }: Buffer) => {
          seen += length
          if (seen > bytes) go()
        })
    )
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    void setTimeout(milliseconds).then(go)
  })

/** Reader `n` leaves after this many bytes: at once, within the first block, or in a later one. */
const bytesOf = (n: number) => [0, 1000, 70_000, 600_000, 2_000_000, Infinity][n % 6]!

describe.each([["a folder", false], ["a bucket", true]])("With files in %s", (_, isBucket) => {
  test("readers who leave anywhere leave no file open in the service", async () => {
    const bucket = await used(openVersionedBucket())
    const service = await openService(await openDatabase(), isBucket ? bucket.environment : {})
    const veteran = await signInVeteran(service)
    const { json: { id } } = await upload(service, veteran, "A long letter. ".repeat(300_000))
    const { document: { id: release } } = await signed(service, veteran, {
      information: { resourceTypes: ["Condition"], documentIds: [id] },
      incompleteRecordConfirmed: true
    })
    const own = (path: string): Leaving => ({
      method: "GET",
      path: `/api/veteran/me/${path}`,
      headers: veteran.headers
    })
    const ways = [
      own(`documents/${id}/content`),
      own(`documents/${release}/content`),
      own(`documents/${release}/record`),
      own(`documents/${release}/ccda`),
      own(`roi/${release}/fhir`)
    ]
    for (let n = 0; n < 60; n++) await leave(service, ways[n % ways.length]!, bytesOf(n), 20 + 37 * (n % 11))
    for (let n = 0; n < 6; n++) {
      const viewSession = await verified(service, await createLink(service, veteran, { documentId: release }))
      await leave(
        service,
        { method: "POST", path: "/api/secure-links/view", headers: {}, body: { viewSession } },
        bytesOf(n),
        20 + 61 * n
      )
    }
    // Uploads that break off.
    const boundary = "----canary"
    for (let n = 0; n < 6; n++) {
      await new Promise<void>((left) => {
        const sent = request(`${service.url}/api/veteran/me/documents`, {
          method: "POST",
          headers: { ...veteran.headers, "content-type": `multipart/form-data; boundary=${boundary}` }
        })
        sent.on("error", () => {}).on("close", left)
        sent.write(
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n` +
            `content-type: text/plain\r\n\r\n${"text ".repeat(20_000 * (n + 1))}`
        )
        void setTimeout(50 * n).then(() => sent.destroy())
      })
    }
    await until("no file is open", async () => (await openFiles(service)).length === 0)
    assert.isNull(service.process.exitCode)
    const { bytes, status } = await download(service, veteran, `/api/veteran/me/documents/${id}/content`)
    assert.deepStrictEqual([status, bytes.length], [200, 4_500_000])
    if (!isBucket) return
    // The same while the bucket breaks off or refuses.
    let asked = 0
    bucket.fault = (method) => {
      if (method !== "GET") return undefined
      return [undefined, "cut", undefined, [403, "AccessDenied"]][asked++ % 4] as ReturnType<typeof bucket.fault>
    }
    for (let n = 0; n < 40; n++) await leave(service, ways[n % ways.length]!, bytesOf(n), 20 + 37 * (n % 11))
    bucket.fault = () => undefined
    await until("no file is open", async () => (await openFiles(service)).length === 0)
    assert.strictEqual((await call(service, "GET", `/api/veteran/me/documents/${id}`, veteran)).status, 200)
  })
})
