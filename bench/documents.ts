import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, open, rm, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { signInVeteran } from "../test/support/Client.ts"
import { type Bench, line, median, residentSet, watched } from "./Bench.ts"

const rounds = 9

const size = 25 * 1024 * 1024

const path = "/api/veteran/me/documents"

/** Upload and download of 25 MiB against a copy of a file of as many bytes, made durable: floor over ours. */
export const benchDocuments = ({ service }: Bench) =>
  Effect.promise(async () => {
    const { headers } = await signInVeteran(service)
    const file = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size - 9)])
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
    const folder = await mkdtemp(join(tmpdir(), "vrss-bench-files-"))
    const [source, target] = [join(folder, "source"), join(folder, "target")]
    await writeFile(source, file)
    const copy = async () => {
      await pipeline(createReadStream(source), createWriteStream(target))
      const handle = await open(target)
      await handle.sync()
      await handle.close()
      await rm(target)
    }
    const figures = { upload: [] as Array<number>, download: [] as Array<number>, copy: [] as Array<number> }
    for (let round = 0; round < rounds + 1; round++) {
      const copied = await timed(copy)
      let id = ""
      const uploaded = await timed(async () => {
        const answer = await exchange(service.url, "POST", path, formHeaders, form)
        if (answer.status !== 201) throw new Error(answer.text)
        id = JSON.parse(answer.text).id
      })
      const downloaded = await timed(async () => {
        const { received, status } = await exchange(service.url, "GET", `${path}/${id}/content`, headers)
        if (status !== 200 || received !== size) throw new Error(`${status}, ${received} bytes`)
      })
      if (round > 0) {
        figures.copy.push(copied)
        figures.upload.push(uploaded)
        figures.download.push(downloaded)
      }
    }
    for (const name of ["upload", "download"] as const) {
      const ratio = median(figures[name].map((time, n) => figures.copy[n]! / time))
      const detail = `${median(figures[name]).toFixed(0)} ms, copy ${median(figures.copy).toFixed(0)} ms`
      line(`copy of 25 MiB / ${name}`, ratio, ">= 0.40", detail)
    }
    // What a process needs for one after another it needs for many at once, if none is held.
    const before = residentSet(service)
    const many = async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => exchange(service.url, "POST", path, formHeaders, form))
      )
      const ids = answers.map(({ text }) => JSON.parse(text).id as string)
      await Promise.all(ids.map((id) => exchange(service.url, "GET", `${path}/${id}/content`, headers)))
    }
    const most = await watched(service, many)
    line("resident set, 8 x 25 MiB up and down, MB", most, "flat", `${before.toFixed(0)} MB before`)
    await rm(folder, { recursive: true })
  })

const timed = async (work: () => Promise<unknown>) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The bytes of a 200 answer to GET are counted and let go. */
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
