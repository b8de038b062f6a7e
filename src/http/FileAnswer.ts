import { create } from "content-disposition"
import { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import type { Document, DocumentContent } from "../services/Documents.ts"

/** A document's bytes in the contract; answered as `fileAnswer`. */
export const FileBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }))

/**
 * A document's bytes as a download: by its own type, never to be sniffed, and sandboxed where a browser opens it after
 * all, so that an HTML file of a stranger is no page of this origin.
 */
export const fileAnswer = ({ content, document }: DocumentContent) =>
  HttpServerResponse.stream(content, {
    contentType: document.contentType.startsWith("text/")
      ? `${document.contentType}; charset=utf-8`
      : document.contentType,
    contentLength: document.byteSize,
    headers: {
      "content-disposition": create(fileName(document)),
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'"
    }
  })

/** A release's title names its recipient. */
const fileName = ({ kind, signedAt, title }: Document) =>
  kind === "roi" ? `release-of-information-${signedAt!.toISOString().slice(0, 10)}.pdf` : title
