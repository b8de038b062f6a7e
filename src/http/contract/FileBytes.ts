import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** The contract knows a stored file as bytes; the answer's content type is the file's own (FileAnswer.ts). */
export const FileBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }))
  .annotate({ description: "The file" })

/** A file in a form: its bytes as they are, without base64. */
export const FilePart = Schema.String.annotate({ format: "binary", contentMediaType: "application/octet-stream" })

export const PdfBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" }))
  .annotate({ description: "The document" })

export const BundleBytes = Schema.Uint8Array.pipe(
  HttpApiSchema.asUint8Array({ contentType: "application/fhir+json" })
).annotate({ description: "A FHIR R4 Bundle" })
