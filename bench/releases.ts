import { Effect } from "effect"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { release } from "../test/http/release/Releases.ts"
import { ask } from "../test/services/pdf/PdfTools.ts"
import { type SignedIn, signInVeteran } from "../test/support/Client.ts"
import { residentSet, resources, syncBody, timedSync, watched } from "./Bench.ts"
import { benchmark } from "./Figure.ts"
import { openHeld } from "./loop.ts"

const sizes = { 10: "10", 1000: "1,000", 20000: "20,000" }

const figure = (size: string) => ({ name: `preview of a release of ${size} items`, unit: "s", floor: "bare pdf-lib" })

/**
 * The cost of a release by its size, beside bare pdf-lib that draws the same lines. The detail also tells how much
 * memory the release takes and how long the event loop is blocked.
 */
export const releases = benchmark({
  rounds: 1,
  figures: { 10: figure(sizes[10]), 1000: figure(sizes[1000]), 20000: figure(sizes[20000]) },
  open: Effect.fnUntraced(function*(tree) {
    const { held, owner, service } = yield* openHeld(tree)

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

    const released = async (count: number) => {
      await owner.query("delete from rate_limit_spendings")
      const veteran = await signInVeteran(service)
      const record = resources(count)
      await timedSync(service, veteran, syncBody(record))
      const types = [...record.keys()]
      const before = residentSet(service)
      let [preview, signed] = [{ bytes: Buffer.alloc(0), seconds: 0 }, { bytes: Buffer.alloc(0), seconds: 0 }]
      await held()
      const most = await watched(service, async () => {
        preview = await post("/preview", veteran, types)
        signed = await post("", veteran, types)
      })
      const { worked } = await held()
      const megabytes = JSON.parse(signed.bytes.toString()).document.byteSize / 1e6
      const lines = (await ask(preview.bytes, "pdftotext", "-layout")).split("\n")
      return {
        ours: preview.seconds,
        floor: await drawn(lines),
        detail:
          `signed in ${signed.seconds.toFixed(2)} s, ${megabytes.toFixed(1)} MB; resident set ${
            before.toFixed(0)
          } to ` +
          `${most.toFixed(0)} MB; event loop held ${worked.toFixed(0)} ms`
      }
    }
    return async () => ({ 10: await released(10), 1000: await released(1000), 20000: await released(20_000) })
  })
})

const linesOnPage = 60

/** Draws lines with bare pdf-lib: only Latin script, without tags or wrapping. Returns the time in seconds. */
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
