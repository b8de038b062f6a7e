import { PDFDocument, StandardFonts } from "pdf-lib"

/** A PDF whose pages show their number, in a font that it does not embed. */
export const pdfOf = async (pages: number, size: [number, number] = [612, 792]) => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number++) {
    pdf.addPage(size).drawText(`This is page ${number}.`, { x: 50, y: size[1] - 80, size: 24, font })
  }
  return pdf.save()
}

/** A PDF that needs a password (ISO 32000-1, 7.6.3). */
export const encryptedPdf = () => {
  const secret = "a1".repeat(32)
  return new TextEncoder().encode(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n` +
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\n` +
      `4 0 obj<</Filter/Standard/V 1/R 2/O<${secret}>/U<${secret}>/P -44>>endobj\n` +
      `trailer<</Root 1 0 R/Size 5/Encrypt 4 0 R/ID[<00><00>]>>\n%%EOF\n`
  )
}

/** Only the header of a JPEG 2000 picture of 8 by 8 pixels. */
const picture = Buffer.from(
  "ff4fff510029000000000008000000080000000000000000000000080000000800000000000000000001070101ffd9",
  "hex"
).toString("latin1")

/** A page with Japanese in a font that it does not embed, and a picture that claims to be JPEG 2000. */
export const leanPdf = () => {
  const text = "BT /F 24 Tf 50 700 Td <65E5672C> Tj ET q 100 0 0 100 50 500 cm /I Do Q"
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</I 7 0 R>>>>>>",
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    "<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/UniJIS-UCS2-H/DescendantFonts[6 0 R]>>",
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>" +
    "/FontDescriptor<</Type/FontDescriptor/FontName/HeiseiMin-W3/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800" +
    "/Descent -200/CapHeight 700/StemV 80>>>>",
    `<</Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/JPXDecode/Length ${picture.length}>>` +
    `stream\n${picture}\nendstream`
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}\nendobj\n`).join("")
  return Buffer.from(`%PDF-1.7\n${body}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`, "latin1")
}
