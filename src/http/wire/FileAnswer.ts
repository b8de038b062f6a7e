import { create } from "content-disposition"
import { HttpServerResponse } from "effect/http"
import type { Document } from "../../domain/Document.ts"
import { fileName, releaseName } from "../../domain/DocumentFileName.ts"
import type { DocumentContent } from "../../services/document/Documents.ts"
import type { Viewed } from "../../services/link/LinkView.ts"
import type { CcdaDocument } from "../../services/release/CcdaDocuments.ts"
import type { Preview } from "../../services/release/Releases.ts"
import type { SharedBundle } from "../../services/shape/SharedBundles.ts"

/** A file is a download, and sandboxed if a browser opens it: uploaded HTML must not become a page of this origin. */
const asDownload = (name: string) => ({
  "content-disposition": create(name),
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'"
})

export const fileAnswer = ({ content, document }: DocumentContent) =>
  HttpServerResponse.stream(content, {
    contentType: document.contentType.startsWith("text/")
      ? `${document.contentType}; charset=utf-8`
      : document.contentType,
    contentLength: document.byteSize,
    headers: asDownload(nameOf(document))
  })

/** Answers with the bundle that a release shares. */
export const bundleAnswer = ({ byteSize, content, signedAt }: SharedBundle) =>
  HttpServerResponse.stream(content, {
    contentType: "application/fhir+json",
    contentLength: byteSize,
    headers: asDownload(releaseName(signedAt, "shared.fhir.json"))
  })

export const ccdaAnswer = ({ byteSize, content, signedAt }: CcdaDocument) =>
  HttpServerResponse.stream(content, {
    contentType: "application/xml",
    contentLength: byteSize,
    headers: asDownload(releaseName(signedAt, "ccda.xml"))
  })

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

export const previewAnswer = ({ byteSize, content }: Preview) =>
  HttpServerResponse.stream(content, {
    contentType: "application/pdf",
    contentLength: byteSize,
    headers: asDownload("release-preview.pdf")
  })

const nameOf = (document: Document) =>
  document.kind === "roi"
    ? releaseName(document.signedAt!, document.contentType === "application/pdf" ? "pdf" : "fhir.json")
    : fileName(document)
