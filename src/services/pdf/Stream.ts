import { deflateSync } from "node:zlib"
import type { PDFContext, PDFRef } from "pdf-lib"

/** Adds a stream that the file holds deflated (ISO 32000-1, 7.4.4). */
export const addDeflated = (
  context: PDFContext,
  content: Uint8Array | string,
  entries: Parameters<PDFContext["stream"]>[1] = {}
): PDFRef => context.register(context.stream(deflateSync(content), { ...entries, Filter: "FlateDecode" }))
