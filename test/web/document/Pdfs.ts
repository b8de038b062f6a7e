import { PDFDocument, StandardFonts } from "pdf-lib"

/** A PDF whose pages say their number, in a font that it does not carry. */
export const pdfOf = async (pages: number, size: [number, number] = [612, 792]) => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number++) {
    pdf.addPage(size).drawText(`This is page ${number}.`, { x: 50, y: size[1] - 80, size: 24, font })
  }
  return pdf.save()
}

/** A PDF that only a password opens (ISO 32000-1, 7.6.3). */
export const encryptedPdf = () => {
  const secret = "a1".repeat(32)
  return new TextEncoder().encode(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n` +
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\n` +
      `4 0 obj<</Filter/Standard/V 1/R 2/O<${secret}>/U<${secret}>/P -44>>endobj\n` +
      `trailer<</Root 1 0 R/Size 5/Encrypt 4 0 R/ID[<00><00>]>>\n%%EOF\n`
  )
}
