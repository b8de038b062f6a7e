import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdtemp, open, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { lacks, needs } from "./PdfTools.ts"

const run = promisify(execFile)

/** Returns what a tool prints, even if the tool finds faults. */
const asked = (tool: string, ...options: ReadonlyArray<string>) =>
  run(tool, options).then(({ stdout }) => stdout, ({ stdout }: { readonly stdout: string }) => stdout)

const tools = ["pdfinfo", "pdfsig", "qpdf"] as const

describe("A release of a thousand pages with 100 MiB attached", () => {
  it.skipIf(lacks(...tools))(
    `is written within constant memory, and its seal covers every byte${needs(...tools)}`,
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "vrss-large-"))
      try {
        const program = fileURLToPath(new URL("large-file.ts", import.meta.url))
        const { stdout } = await run(process.execPath, [program, directory, "13500", "100"])
        const figures = JSON.parse(stdout) as { readonly pages: number; readonly before: number; readonly peak: number }
        assert.isAbove(figures.pages, 1000)
        // A process that kept both files in memory would use more than these 220 MiB.
        assert.isBelow(figures.peak - figures.before, 220, stdout)
        const [own, recipients] = [join(directory, "own.pdf"), join(directory, "recipients.pdf")]
        const intact = "Total document signed\n  - Signature Validation: Signature is Valid."
        for (const [file, pages] of [[own, figures.pages + 1], [recipients, figures.pages]] as const) {
          assert.isAbove((await stat(file)).size, 50e6)
          assert.include((await asked("pdfinfo", file)).replace(/ +/g, " "), `Pages: ${pages}\n`)
          assert.include(await asked("pdfsig", "-nocert", file), intact)
        }
        assert.include(await asked("qpdf", "--check", own), "No syntax or stream encoding errors found")
        const { size } = await stat(own)
        const handle = await open(own, "r+")
        try {
          for (const at of [1000, Math.floor(size / 2), size - 1000]) {
            const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at)
            await handle.write(Buffer.of(buffer[0]! ^ 1), 0, 1, at)
            assert.notInclude(await asked("pdfsig", "-nocert", own), "Signature is Valid", `at ${at} of ${size}`)
            await handle.write(buffer, 0, 1, at)
          }
        } finally {
          await handle.close()
        }
        assert.include(await asked("pdfsig", "-nocert", own), intact)
      } finally {
        await rm(directory, { recursive: true })
      }
    }
  )
})
