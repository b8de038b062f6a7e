import { Effect } from "effect"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { freePort } from "../src/layers/EmbeddedPostgres.ts"
import { release } from "../test/http/release/Releases.ts"
import { ask } from "../test/services/pdf/Pdf.ts"
import { call, type SignedIn, signInVeteran } from "../test/support/Client.ts"
import { line, median, open, residentSet, resources, syncBody, watched } from "./Bench.ts"
import type { Held } from "./loop-probe.ts"

const rounds = 3

/**
 * What a release costs by its size: seconds, the size of the file, memory and the longest hold of the event loop; and how long
 * bare pdf-lib takes to draw the same lines.
 */
export const benchReleases = Effect.gen(function*() {
  const port = yield* Effect.promise(freePort)
  const { service } = yield* open({
    NODE_OPTIONS: `--import=${new URL("loop-probe.ts", import.meta.url).href}`,
    LOOP_PROBE_PORT: `${port}`
  })
  const held = async () => (await (await fetch(`http://127.0.0.1:${port}`)).json() as Held).worked

  const post = async (path: string, { headers }: SignedIn, types: ReadonlyArray<string>) => {
    const started = performance.now()
    const response = await fetch(`${service.url}/api/veteran/me/roi${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(release({ information: { resourceTypes: types } }))
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok) throw new Error(`${response.status} ${bytes}`)
    return { bytes, seconds: (performance.now() - started) / 1000 }
  }

  yield* Effect.promise(async () => {
    console.log("\nreleases by their size\n")
    for (const count of [10, 1000, 20_000]) {
      const veteran = await signInVeteran(service)
      const record = resources(count)
      const synced = await call(service, "POST", "/api/veteran/me/health-record/sync", {
        headers: veteran.headers,
        body: syncBody(record)
      })
      if (synced.status !== 200) throw new Error(synced.text)
      const types = [...record.keys()]
      const figures = { preview: [] as Array<number>, sign: [] as Array<number> }
      const before = residentSet(service)
      let preview = Buffer.alloc(0)
      let signed: any
      await held()
      const most = await watched(service, async () => {
        for (let round = 0; round < (count > 5000 ? 1 : rounds); round++) {
          const shown = await post("/preview", veteran, types)
          preview = shown.bytes
          figures.preview.push(shown.seconds)
          const { bytes, seconds } = await post("", veteran, types)
          signed = JSON.parse(bytes.toString()).document
          figures.sign.push(seconds)
        }
      })
      const longest = await held()
      const lines = (await ask(preview, "pdftotext", "-layout")).split("\n")
      const bare = await drawn(lines)
      const seconds = { preview: median(figures.preview), sign: median(figures.sign) }
      line(
        `a release of ${count} / bare pdf-lib`,
        seconds.preview / bare,
        "none set",
        `preview ${seconds.preview.toFixed(2)} s, signing ${seconds.sign.toFixed(2)} s, bare ${bare.toFixed(2)} s; ` +
          `${(signed.byteSize / 1e6).toFixed(1)} MB, the preview ${
            (preview.length / 1e6).toFixed(1)
          } MB; resident set ` +
          `${before.toFixed(0)} to ${most.toFixed(0)} MB; event loop held ${longest.toFixed(0)} ms`
      )
    }
  })
})

const linesOnPage = 60

/** Draws lines by pdf-lib's own calls, without tags, wrapping or scripts beyond Latin, and answers the seconds. */
const drawn = async (lines: ReadonlyArray<string>) => {
  const started = performance.now()
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let from = 0; from < lines.length; from += linesOnPage) {
    const page = document.addPage([612, 792])
    lines.slice(from, from + linesOnPage).forEach((text, row) =>
      page.drawText(text.replace(/[^\x20-\x7e]/g, "?"), { x: 54, y: 740 - row * 12, size: 10, font })
    )
  }
  await document.save()
  return (performance.now() - started) / 1000
}
