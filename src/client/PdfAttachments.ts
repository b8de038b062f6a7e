import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFString
} from "pdf-lib"

/** Returns the files attached to a PDF, by name (ISO 32000-1, 7.9.6 and 7.11.4). */
export const attachmentsOf = async (pdf: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> => {
  const { catalog } = await PDFDocument.load(pdf, { updateMetadata: false })
  const names = catalog.lookupMaybe(PDFName.of("Names"), PDFDict)?.lookupMaybe(PDFName.of("EmbeddedFiles"), PDFDict)
  return new Map(names === undefined ? [] : leaves(names))
}

/** Yields the entries of a name tree in order. */
const leaves = function*(node: PDFDict): Generator<readonly [string, Uint8Array]> {
  const kids = node.lookupMaybe(PDFName.of("Kids"), PDFArray)
  for (let at = 0; at < (kids?.size() ?? 0); at++) yield* leaves(kids!.lookup(at, PDFDict))
  const pairs = node.lookupMaybe(PDFName.of("Names"), PDFArray)
  for (let at = 1; at < (pairs?.size() ?? 0); at += 2) {
    const file = pairs!.lookup(at, PDFDict)
    const name = file.lookup(PDFName.of("UF"), PDFString, PDFHexString).decodeText()
    const content = file.lookup(PDFName.of("EF"), PDFDict).lookup(PDFName.of("F"))
    if (content instanceof PDFRawStream) yield [name, decodePDFRawStream(content).decode()]
  }
}
