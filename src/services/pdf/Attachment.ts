import { createHash } from "node:crypto"
import { pipeline } from "node:stream/promises"
import { createDeflate, deflateSync } from "node:zlib"
import { type Objects, ref } from "./Objects.ts"
import { dateString, nameOf, textString, utf16 } from "./Text.ts"

export interface AttachedFile {
  /** Unique among the attachments of a PDF. */
  readonly name: string
  readonly mimeType: string
  readonly description: string
  /** The file's relationship to the document (ISO 32000-2, 7.11.3). */
  readonly relationship: "Source" | "Data" | "Alternative" | "Supplement" | "Unspecified"
  readonly bytes: AsyncIterable<Uint8Array>
  readonly createdAt: Date
}

/** A written attachment, with the number of its file specification. */
export interface Attachment {
  readonly name: string
  readonly number: number
}

/** Writes an ASCII name as a literal string (ISO 32000-1, 7.3.4.2), so that poppler's pdfdetach finds it. */
const fileNameString = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) ? `(${name.replaceAll(/[\\()]/g, "\\$&")})` : textString(name)

/** Number of bytes that show whether deflating helps. A file of at most this size is deflated in one call. */
const sample = 1 << 16

/** Writes an embedded file as it arrives (ISO 32000-1, 7.11.4), deflated if its beginning shrinks by a tenth. */
export const attach = async (
  { bytes, createdAt, description, mimeType, name, relationship }: AttachedFile,
  objects: Objects
): Promise<Attachment> => {
  const md5 = createHash("md5")
  let size = 0
  const measured = async function*() {
    for await (const piece of bytes) {
      md5.update(piece)
      size += piece.length
      yield piece
    }
  }
  const pieces = measured()
  const head: Array<Uint8Array> = []
  let next = await pieces.next()
  for (; next.done !== true; next = await pieces.next()) {
    head.push(next.value)
    if (size > sample) break
  }
  const isWhole = next.done === true
  const beginning = Buffer.concat(head).subarray(0, sample)
  const deflated = deflateSync(beginning)
  const helps = deflated.length < 0.9 * beginning.length
  const whole = async function*() {
    yield* head.splice(0)
    yield* pieces
  }

  const paramsNumber = objects.next()
  const filter = helps ? "/Filter/FlateDecode" : ""
  const dictionary = `<</Type/EmbeddedFile/Subtype${nameOf(mimeType)}/Params ${ref(paramsNumber)}${filter}>>`
  let embedded = 0
  if (isWhole) embedded = await objects.stream(helps ? deflated : beginning, dictionary)
  else if (helps) {
    await pipeline(whole, createDeflate(), async (deflated: AsyncIterable<Uint8Array>) => {
      embedded = await objects.streamed(deflated, dictionary)
    })
  } else embedded = await objects.streamed(whole(), dictionary)

  const date = dateString(createdAt)
  objects.add(
    `<</Size ${size}/CreationDate ${date}/ModDate ${date}/CheckSum <${md5.digest("hex")}>>>`,
    paramsNumber
  )
  // PDF readers that do not support Unicode names read F instead of UF (ISO 32000-1, 7.11.2).
  const ascii = name.replace(/[^\w. -]/g, "_")
  return {
    name,
    number: objects.add(
      `<</Type/Filespec/F (${ascii})/UF ${fileNameString(name)}` +
        `/EF<</F ${ref(embedded)}/UF ${ref(embedded)}>>/Desc ${textString(description)}` +
        `/AFRelationship/${relationship}>>`
    )
  }
}

/** The catalog's entries for attachments: the sorted name tree (7.9.6) and the associated files. */
export const attachmentsInCatalog = (attachments: ReadonlyArray<Attachment>): string => {
  if (attachments.length === 0) return ""
  // The order is by the names' bytes without the closing `>`, so a name sorts before longer names that begin with it.
  const named = attachments.toSorted((one, other) => utf16(one.name) < utf16(other.name) ? -1 : 1)
    .map(({ name, number }) => `${textString(name)} ${ref(number)}`)
  return `/Names<</EmbeddedFiles<</Names[${named.join(" ")}]>>>>` +
    `/AF[${attachments.map(({ number }) => ref(number)).join(" ")}]`
}
