import { execFile, spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Page } from "playwright-core"

const tool = "pdftotext"

/** Tests of printed sheets are skipped without poppler's `pdftotext`. */
export const noTool = spawnSync(tool, ["-v"]).error !== undefined

export const needsTool = noTool ? " (left out: needs pdftotext of poppler-utils)" : ""

/** Prints the page on sheets of a height in inches, and returns the text of each sheet. */
export const sheetsOf = async (page: Page, height = 11): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "sheets-"))
  const file = join(folder, "print.pdf")
  await writeFile(file, await page.pdf({ width: "8.5in", height: `${height}in` }))
  const { stdout } = await promisify(execFile)(tool, ["-layout", file, "-"], { maxBuffer: 2 ** 26 })
  await rm(folder, { recursive: true })
  return stdout.split("\f").slice(0, -1).map((text) => text.replaceAll(/\s+/g, " "))
}
