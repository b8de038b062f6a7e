import { AFRelationship, type PDFDocument } from "pdf-lib"
import type { Document } from "../../domain/Document.ts"
import { layOutPages } from "../pdf/Pages.ts"
import { type SealingIdentity, sealPdf } from "../pdf/Seal.ts"
import { layOutRelease, type ReleaseContent } from "./ReleaseDocument.ts"
import type { ReleasedRecord } from "./ReleasedRecord.ts"
import type { DraftAuthorization } from "./SignedAuthorization.ts"

/** What both renderings show. Bytes are no `Buffer` any more when they come to a thread. */
export interface Rendered extends Omit<ReleaseContent, "copy" | "json" | "sha256"> {
  readonly json: Uint8Array
  readonly sha256: Uint8Array
  /** Counts, per type, the items that the recipient does not see. */
  readonly withheld: ReadonlyMap<string, number>
}

/** A document that a release names, with its bytes as they were uploaded. */
export interface ReleasedUpload extends Pick<Document, "id" | "title" | "contentType" | "byteSize" | "sha256"> {
  readonly content: () => AsyncIterable<Uint8Array>
}

type Sink = (bytes: Uint8Array) => Promise<void>

/** Lays out and seals the veteran's copy and the recipient's. */
export const writeRelease = async (
  { json, sha256, withheld, ...content }: Rendered,
  record: ReleasedRecord,
  documents: ReadonlyArray<ReleasedUpload>,
  identity: SealingIdentity,
  sinks: { readonly own: Sink; readonly recipients: Sink }
) => {
  const write = async (copy: ReleaseContent["copy"], sink: Sink) => {
    const pdf = await layOutRelease({ ...content, json: Buffer.from(json), sha256: Buffer.from(sha256), copy })
    await attach(pdf, "record.fhir.json", "application/fhir+json", record.bundle())
    for (const { content, contentType, id } of documents) await attach(pdf, id, contentType, content())
    await sink(await sealPdf(pdf, identity, new Date(content.authorization.signedAt)))
  }
  await write({ for: "veteran", withheld }, sinks.own)
  await write({ for: "recipient" }, sinks.recipients)
}

/** Lays out the recipient's pages of what is not signed. */
export const writePreview = async (_: DraftAuthorization, record: ReleasedRecord, sink: Sink) => {
  const rows = record.entries.map(({ reference }) => ({ kind: "paragraph", text: reference }) as const)
  const notSigned = "Preview, not signed"
  const pdf = await layOutPages({
    parts: [[{ kind: "title", text: notSigned }, ...rows]],
    header: notSigned,
    footer: [notSigned]
  })
  await sink(await pdf.save())
}

const attach = async (pdf: PDFDocument, name: string, mimeType: string, content: AsyncIterable<Uint8Array>) => {
  const pieces: Array<Uint8Array> = []
  for await (const piece of content) pieces.push(piece)
  await pdf.attach(Buffer.concat(pieces), name, { mimeType, afRelationship: AFRelationship.Data })
}
