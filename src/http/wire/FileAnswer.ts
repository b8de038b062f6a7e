import { create } from "content-disposition"
import type { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Document } from "../../domain/Document.ts"
import { fileName, releaseName } from "../../domain/DocumentFileName.ts"
import type { DocumentContent } from "../../services/document/Documents.ts"
import type { Viewed } from "../../services/link/LinkView.ts"
import type { CcdaDocument } from "../../services/release/CcdaDocuments.ts"
import type { Preview } from "../../services/release/ReleasePreviews.ts"
import type { SharedBundle } from "../../services/shape/SharedBundles.ts"

/** A file is a download, and sandboxed if a browser opens it: uploaded HTML must not become a page of this origin. */
const asDownload = (name: string) => ({
  "content-disposition": create(name),
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'"
})

interface Sent {
  readonly byteSize: number
  readonly content: Stream.Stream<Uint8Array, unknown>
}

const download = ({ byteSize, content }: Sent, contentType: string, name: string) =>
  HttpServerResponse.stream(content, { contentType, contentLength: byteSize, headers: asDownload(name) })

export const fileAnswer = ({ content, document }: DocumentContent) => {
  const { byteSize, contentType } = document
  const ofText = contentType.startsWith("text/") ? "; charset=utf-8" : ""
  return download({ byteSize, content }, `${contentType}${ofText}`, nameOf(document))
}

/** Answers with the bundle that a release shares. */
export const bundleAnswer = (bundle: SharedBundle) =>
  download(bundle, "application/fhir+json", releaseName(bundle.signedAt, "shared.fhir.json"))

export const ccdaAnswer = (document: CcdaDocument) =>
  download(document, "application/xml", releaseName(document.signedAt, "ccda.xml"))

/** Answers with the recipient's copy, or with the rest of it if a transfer is resumed (RFC 9110, 14.4 and 15.3.7). */
export const releaseAnswer = ({ byteSize, content, offset, signedAt }: Viewed) =>
  HttpServerResponse.stream(content, {
    status: offset === undefined ? 200 : 206,
    contentType: "application/pdf",
    contentLength: byteSize - (offset ?? 0),
    headers: {
      ...asDownload(releaseName(signedAt, "pdf")),
      ...(offset === undefined ? {} : { "content-range": `bytes ${offset}-${byteSize - 1}/${byteSize}` })
    }
  })

export const previewAnswer = (preview: Preview) => download(preview, "application/pdf", "release-preview.pdf")

const nameOf = (document: Document) =>
  document.kind === "roi"
    ? releaseName(document.signedAt!, document.contentType === "application/pdf" ? "pdf" : "fhir.json")
    : fileName(document)
