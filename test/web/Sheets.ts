import { ask } from "../services/pdf/PdfTools.ts"

/** The size of a sheet of US letter. */
export const letter = { width: "8.5in", height: "11in" }

/** Returns the text of each sheet of a browser's PDF. The text of each cell is in one piece. */
export const sheetsOf = async (pdf: Uint8Array): Promise<ReadonlyArray<string>> =>
  (await ask(pdf, "pdftotext", "-raw")).split("\f").slice(0, -1).map((text) => text.replaceAll(/\s+/g, " "))
