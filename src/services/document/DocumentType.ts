import { Effect, Schema, Stream } from "effect"
import { fileTypeFromBuffer } from "file-type"
import { UnsupportedMediaType } from "../../domain/Errors.ts"

/** What a document may be (contract, part 4). */
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

/** As much of a file's beginning as the library looks at. */
const sampleSize = 4100

/**
 * Tells a file's type by its content, never by its name or what the client says, while the content passes through:
 * `type()` is there once the stream has ended. What is text is UTF-8 to its end.
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
    if (!isAllowed(found)) return yield* unsupported
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
    /** Undefined while it runs. */
    type: () => type
  }
}

const unsupported = new UnsupportedMediaType({
  message: "A document is a PDF, PNG, JPEG, TIFF, plain text, HTML or XML file; text is in UTF-8."
})

const isText = (type: DocumentType) => type === "text/plain" || type === "text/html" || type === "application/xml"

/** Control characters that no text has (WHATWG MIME Sniffing, "binary data byte"). */
// oxlint-disable-next-line no-control-regex
const binary = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/

/** The tags by which browsers know HTML (WHATWG MIME Sniffing, 7.1), at the beginning of the file. */
const html = /^(<!doctype html|<(html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\s>])|<!--)/i

/** A first element that declares a namespace: FHIR and CDA documents may go without the XML declaration. */
const xml = /^<(?:[A-Za-z_][\w.-]*:)?[A-Za-z_][\w.-]*\s[^<>]*\bxmlns(?::[\w.-]+)?\s*=/

const textType = (sample: Uint8Array): DocumentType => {
  const text = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString().replace(/^\ufeff?\s*/, "")
  return html.test(text) ? "text/html" : xml.test(text) || text.startsWith("<?xml") ? "application/xml" : "text/plain"
}
