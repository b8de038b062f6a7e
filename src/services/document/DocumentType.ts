import { Effect, Schema, Stream } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { UnsupportedMediaType } from "../../domain/Errors.ts"

/** The accepted types of documents (contract, part 4). */
export const DocumentType = Schema.Literals([
  "application/pdf",
  "image/png",
  "image/jpeg",
  "image/tiff",
  "text/plain",
  "text/html",
  "application/xml"
])

export type DocumentType = typeof DocumentType.Type

const isAllowed = Schema.is(DocumentType)

/** The library examines this many bytes at the beginning of a file. */
const sampleSize = 4100

/**
 * Detects a file's type by its content, not by its name or the client's claim, while the content passes through.
 * `type()` is known once the stream has ended. Text must be UTF-8 throughout.
 */
export const sniffing = <E, R>(content: Stream.Stream<Uint8Array, E, R>) => {
  let sample: Uint8Array = new Uint8Array()
  let type: DocumentType | undefined
  const decoder = new TextDecoder("utf-8", { fatal: true })

  const checkText = (chunk: Uint8Array, isLast: boolean) =>
    Effect.try({
      try: () => {
        const text = decoder.decode(chunk, { stream: !isLast })
        if (binary.test(text)) throw new Error("control characters")
      },
      catch: () => unsupported
    })

  const settle = Effect.gen(function*() {
    const found = (yield* Effect.promise(() => fileTypeFromBuffer(sample)))?.mime ?? textType(sample)
    if (!isAllowed(found) || (found === "image/png" && !hasHeader(sample))) return yield* unsupported
    type = found
    if (isText(found)) yield* checkText(sample, false)
  })

  const take = (chunk: Uint8Array) => {
    if (type !== undefined) return isText(type) ? checkText(chunk, false) : Effect.void
    sample = Buffer.concat([sample, chunk])
    return sample.length >= sampleSize ? settle : Effect.void
  }
  const finish = Effect.gen(function*() {
    if (type === undefined) yield* settle
    if (isText(type!)) yield* checkText(new Uint8Array(), true)
  })

  return {
    content: content.pipe(Stream.tap(take), Stream.concat(Stream.fromEffectDrain(finish))),
    /** The type, or undefined before the stream has ended. */
    type: () => type
  }
}

const unsupported = new UnsupportedMediaType({
  message: "A document is a PDF, PNG, JPEG, TIFF, plain text, HTML or XML file; text is in UTF-8."
})

/** A PNG begins with a header chunk, whose type follows eight bytes of signature and four of length (PNG, 5.6). */
const hasHeader = (png: Uint8Array) => Buffer.from(png.subarray(12, 16)).toString("latin1") === "IHDR"

const isText = (type: DocumentType) => type === "text/plain" || type === "text/html" || type === "application/xml"

/** Control characters that text never contains (WHATWG MIME Sniffing, "binary data byte"). */
// oxlint-disable-next-line no-control-regex
const binary = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/

/** Browsers recognise HTML by these tags at the beginning (WHATWG MIME Sniffing, 7.1). */
const html = /^(<!doctype html|<(html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s>])|<!--)/i

/** Matches a first element that declares a namespace, because FHIR and CDA documents may lack the XML declaration. */
const xml = /^<(?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*\s[^<>]*\bxmlns(?::[\w.-]+)?\s*=/

const textType = (sample: Uint8Array): DocumentType => {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString().replace(/^\ufeff?\s*/, "")
  return html.test(text) ? "text/html" : xml.test(text) || text.startsWith("<?xml") ? "application/xml" : "text/plain"
}
