import { execFile, spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const tool = "pdftotext"

/** Tests of printed sheets are skipped without poppler's `pdftotext`. */
export const noTool = spawnSync(tool, ["-v"]).error !== undefined

export const needsTool = noTool ? " (left out: needs pdftotext of poppler-utils)" : ""

/** The size of a sheet of US letter. */
export const letter = { width: "8.5in", height: "11in" }

/** Returns the text of each sheet of a browser's PDF. The text of each cell is in one piece. */
export const sheetsOf = async (pdf: Uint8Array): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "sheets-"))
  const file = join(folder, "print.pdf")
  await writeFile(file, pdf)
  const { stdout } = await promisify(execFile)(tool, ["-raw", file, "-"], { maxBuffer: 2 ** 26 })
  await rm(folder, { recursive: true })
  return stdout.split("\f").slice(0, -1).map((text) => text.replaceAll(/\s+/g, " "))
}
