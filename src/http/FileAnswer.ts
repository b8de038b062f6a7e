import { create } from "content-disposition"
import { HttpServerResponse } from "effect/http"
import type { Document } from "../domain/Document.ts"
import type { DocumentContent } from "../services/document/Documents.ts"
import type { Viewed } from "../services/link/LinkView.ts"
import type { Preview } from "../services/release/Releases.ts"

/**
 * A file is a download of its own type, never sniffed, and sandboxed where a browser opens it after all: an HTML file of a
 * stranger must not become a page of this origin.
 */
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
    headers: asDownload(fileName(document))
  })

/** Answers the recipient's copy, or what is left of it where a transfer is resumed (RFC 9110, 14.4 and 15.3.7). */
export const releaseAnswer = ({ byteSize, content, offset, signedAt }: Viewed) =>
  HttpServerResponse.stream(content, {
    status: offset === undefined ? 200 : 206,
    contentType: "application/pdf",
    contentLength: byteSize - (offset ?? 0),
    headers: {
      ...asDownload(releaseName(signedAt)),
      ...(offset === undefined ? {} : { "content-range": `bytes ${offset}-${byteSize - 1}/${byteSize}` })
    }
  })

/** Answers the pages of a release that nobody has signed. */
export const previewAnswer = ({ byteSize, content }: Preview) =>
  HttpServerResponse.stream(content, {
    contentType: "application/pdf",
    contentLength: byteSize,
    headers: asDownload("release-preview.pdf")
  })

/** A release is not saved under its title, which names its recipient. */
const fileName = ({ contentType, kind, signedAt, title }: Document) =>
  kind === "roi" ? releaseName(signedAt!, contentType) : withExtension(title, extensions[contentType] ?? [])

/** What a name may end in, by the type that the content was found to be; the first where it ends in none of them. */
const extensions: Record<string, ReadonlyArray<string>> = {
  "application/pdf": ["pdf"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/tiff": ["tif", "tiff"],
  "text/plain": ["txt", "text"],
  "text/html": ["html", "htm"],
  "application/xml": ["xml"],
  "application/fhir+json": ["fhir.json"]
}

/** Opened from a disk, a file is run by its name: `result.hta` would be a program, and `CON` a device of Windows. */
const withExtension = (title: string, [own = "bin", ...others]: ReadonlyArray<string>) => {
  const name = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(title) ? `_${title}` : title
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase()
  return ending !== undefined && [own, ...others].includes(ending) ? name : `${name}.${own}`
}

const releaseName = (signedAt: Date, contentType = "application/pdf") =>
  `release-of-information-${signedAt.toISOString().slice(0, 10)}.${extensions[contentType]![0]}`
