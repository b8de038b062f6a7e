import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** The contract declares a stored file as plain bytes. The answer has the file's own content type (FileAnswer.ts). */
export const FileBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/octet-stream" }))
  .annotate({ description: "The file" })

/** The file in a multipart form. In OpenAPI, a string of the format `binary` stands for raw bytes. */
export const FilePart = Schema.String.annotate({ format: "binary", contentMediaType: "application/octet-stream" })

export const PdfBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" }))
  .annotate({ description: "The document" })

export const BundleBytes = Schema.Uint8Array.pipe(
  HttpApiSchema.asUint8Array({ contentType: "application/fhir+json" })
).annotate({ description: "A FHIR R4 Bundle" })

export const JoseBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/jose" }))
  .annotate({ description: "The file as a compact JWE" })

export const CcdaBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/xml" }))
  .annotate({ description: "A Continuity of Care Document (HL7 C-CDA R2.1)" })
