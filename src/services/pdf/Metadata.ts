import { dateString, textString } from "./Text.ts"

export interface Metadata {
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly language: string
  readonly createdAt: Date
  /** A URI that identifies the document elsewhere (DCMI, `identifier`). */
  readonly identifier?: string
  /** At least 16 bytes that are unique to the document. */
  readonly id: Buffer
}

const producer = "Veteran records sharing"

/** The information dictionary (ISO 32000-1, 14.3.3). */
export const information = ({ author, createdAt, subject, title }: Metadata): string => {
  const date = dateString(createdAt)
  return `<</Title ${textString(title)}/Author ${textString(author)}/Subject ${textString(subject)}/Creator ${
    textString(producer)
  }` +
    `/Producer ${textString(producer)}/CreationDate ${date}/ModDate ${date}>>`
}

/** The same metadata in XMP (ISO 32000-1, 14.3.2; ISO 16684-1). It declares the file as PDF/UA-1 (ISO 14289-1, 5). */
export const xmp = ({ author, createdAt, identifier, language, subject, title }: Metadata) => {
  const instant = createdAt.toISOString()
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
<dc:format>application/pdf</dc:format>${
    identifier === undefined ? "" : `\n<dc:identifier>${identifier}</dc:identifier>`
  }
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escaped(subject)}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>${instant}</xmp:CreateDate><xmp:ModifyDate>${instant}</xmp:ModifyDate>
<xmp:CreatorTool>${escaped(producer)}</xmp:CreatorTool><pdf:Producer>${escaped(producer)}</pdf:Producer>
</rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`
}

/** Tools that search a PDF's bytes for syntax such as `/ByteRange` must not find it in this uncompressed stream. */
const escaped = (text: string) =>
  text.normalize("NFC").replace(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0)!};`)
