import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { open as openFile, rm, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { signInVeteran } from "../test/support/Client.ts"
import { expecting, open, residentSet, temporary, timed, watched } from "./Bench.ts"
import { alone, benchmark, floorShare } from "./Figure.ts"

const size = 25 * 1024 * 1024

const path = "/api/veteran/me/documents"

/** Upload and download of 25 MiB against a durable copy of a file of the same size. */
export const documents = benchmark({
  rounds: 9,
  figures: {
    upload: { name: "upload of 25 MiB", unit: "ms", floor: "copy with fsync", goal: { atLeast: 0.4 } },
    download: { name: "download of 25 MiB", unit: "ms", floor: "copy with fsync", goal: { atLeast: 0.4 } },
    // If the service does not hold files in memory, eight at once take no more memory than one after another.
    resident: { name: "resident set, 8 × 25 MiB up and down at once", unit: "MB", floor: "before" }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const folder = yield* temporary("files")
    const { headers } = yield* Effect.promise(() => signInVeteran(service))
    const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size - 9)])
    const [source, target] = [join(folder, "source"), join(folder, "target")]
    yield* Effect.promise(() => writeFile(source, file))
    const copy = async () => {
      await pipeline(createReadStream(source), createWriteStream(target))
      const handle = await openFile(target)
      await handle.sync()
      await handle.close()
      await rm(target)
    }
    const form = Buffer.concat([
      Buffer.from("--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n"),
      file,
      Buffer.from("\r\n--x--\r\n")
    ])
    const formHeaders = {
      ...headers,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": `${form.length}`
    }
    const send = async () => {
      const { text } = expecting(201, await exchange(service.url, "POST", path, formHeaders, form))
      return JSON.parse(text).id as string
    }
    const take = async (id: string) => {
      const { received } = expecting(200, await exchange(service.url, "GET", `${path}/${id}/content`, headers))
      if (received !== size) throw new Error(`${received} bytes`)
    }
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const least = await timed(copy)
      let id = ""
      const upload = await timed(async () => id = await send())
      const download = await timed(() => take(id))
      const before = residentSet(service)
      const most = await watched(service, async () => {
        const ids = await Promise.all(Array.from({ length: 8 }, send))
        await Promise.all(ids.map(take))
      })
      await owner.query("delete from documents")
      return {
        upload: floorShare(upload, least),
        download: floorShare(download, least),
        resident: alone(most, before)
      }
    }
  })
})

/** Sends a request and reads its answer. If a GET is answered 200, only the bytes are counted, and `text` is empty. */
const exchange = (
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: Buffer
): Promise<{ readonly status: number; readonly received: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers }, (response) => {
      let received = 0
      let text = ""
      response.on("data", (chunk: Buffer) => {
        received += chunk.length
        if (method !== "GET" || response.statusCode !== 200) text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode!, received, text })).on("error", reject)
    })
    sent.on("error", reject).end(body)
  })
