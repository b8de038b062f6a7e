import { Readable } from "node:stream"
import { substanceUseNotice } from "../../domain/ReleaseStatements.ts"
import { PdfFile, type Sink } from "../pdf/PdfFile.ts"
import { PdfWriter } from "../pdf/PdfWriter.ts"
import type { Picture } from "../pdf/Picture.ts"
import type { SealingIdentity } from "../pdf/Signer.ts"
import { ownAttachments } from "./AttachmentNames.ts"
import { atSigning, authorizationPages, releasesSubstanceUse, title } from "./AuthorizationPages.ts"
import { recordPages } from "./RecordPages.ts"
import type { ReleasedRecord } from "./ReleasedRecord.ts"
import { inOneLine } from "./ReleaseWords.ts"
import type { DraftAuthorization, SignedAuthorization } from "./SignedAuthorization.ts"
import { signingPage } from "./SigningPage.ts"

export interface AttachedDocument {
  /** See AttachmentNames.ts. */
  readonly name: string
  readonly contentType: string
  readonly title: string
  readonly bytes: () => AsyncIterable<Uint8Array>
}

/** A signed release except its record. Bytes are `Uint8Array`: a `Buffer` sent to another process arrives as one. */
export interface ReleaseContent {
  readonly authorization: SignedAuthorization
  /** The authorization as RFC 8785 JSON; `sha256` is its hash. */
  readonly json: Uint8Array
  readonly sha256: Uint8Array
  readonly verificationUrl: string
  readonly drawing: Picture | null
  /** Counts, per type, the items that the recipient does not see. */
  readonly withheld: ReadonlyMap<string, number>
}

export interface Release extends ReleaseContent {
  readonly record: ReleasedRecord
  readonly bundled: { readonly sha256: Uint8Array; readonly bytes: AsyncIterable<Uint8Array> }
  readonly documents: ReadonlyArray<AttachedDocument>
  readonly identity: SealingIdentity
}

/**
 * Writes a signed release as two sealed files (roi-authorization.md). 38 U.S.C. 7332(a)(2) forbids telling a recipient
 * that a special consent was required. So the recipient's copy is made only of released items and finished before the
 * veteran's pages begin: its bytes do not depend on withheld items. The veteran's copy says at the top of its pages
 * which copy it is, and differs in sections G and I.
 */
export const writeRelease = async (release: Release, sinks: { readonly own: Sink; readonly recipients: Sink }) => {
  const { authorization, bundled, documents, drawing, identity, json, record, sha256, verificationUrl, withheld } =
    release
  const { signature } = authorization
  const footer = [
    `Document ${authorization.documentId}`,
    `SHA-256 ${Buffer.from(sha256).toString("hex")}`,
    `Verify at ${verificationUrl}`,
    ...notices(authorization)
  ]
  const recipients = {
    file: new PdfFile(sinks.recipients),
    frame: { header: title, laterHeader: personLine(authorization), footer },
    copy: { for: "recipient" }
  } as const
  const own = {
    file: new PdfFile(sinks.own),
    frame: {
      header: `${title} – Veteran’s copy, do not pass on`,
      laterHeader: `${personLine(authorization)} – Veteran’s copy, do not pass on`,
      footer
    },
    copy: { for: "veteran", withheld }
  } as const
  const writer = new PdfWriter([recipients.frame, own.frame])
  const both = [recipients.file, own.file]
  const pages = await writer.part(recordPages(authorization, record), both)
  const certificate = await writer.part(
    signingPage(authorization, {
      sha256,
      recordSha256: bundled.sha256,
      verificationUrl,
      session: authorization.session
    }),
    both
  )

  const createdAt = new Date(authorization.signedAt)
  const attachments = []
  for (
    const attached of [
      {
        name: ownAttachments.authorization,
        mimeType: "application/json",
        description: "The authorization that was signed, as canonical JSON (RFC 8785)",
        relationship: "Data",
        bytes: Readable.from([json])
      },
      {
        name: ownAttachments.record,
        mimeType: "application/fhir+json",
        description: "The released items, each as it was received (FHIR R4)",
        relationship: "Source",
        bytes: bundled.bytes
      },
      ...documents.map(({ bytes, contentType, name, title }) => ({
        name,
        mimeType: contentType,
        description: title,
        relationship: "Supplement",
        bytes: bytes()
      } as const))
    ] as const
  ) attachments.push(await writer.attach({ ...attached, createdAt }, both))

  for (const { copy, file, frame } of [recipients, own]) {
    const first = await writer.part(authorizationPages({ authorization, signature, drawing, copy }), [file])
    await writer.finish(file, {
      parts: [first, pages, certificate],
      frame,
      attachments,
      metadata: {
        ...metadataOf(authorization, signature.typedName, Buffer.from(sha256)),
        // The verification page reads this id from the file, so that nobody has to type it.
        identifier: `urn:uuid:${authorization.documentId}`
      },
      identity
    })
  }
}

/** Writes the recipient's pages marked as a preview, without attachments and seal. */
export const writePreview = async (authorization: DraftAuthorization, record: ReleasedRecord, sink: Sink) => {
  const file = new PdfFile(sink)
  const frame = {
    header: title,
    laterHeader: personLine(authorization),
    footer: [
      `Document: ${atSigning}`,
      `SHA-256: ${atSigning}`,
      `Verify at: ${atSigning}`,
      ...notices(authorization)
    ],
    watermark: "Preview, not signed"
  }
  const writer = new PdfWriter([frame])
  const pages = await writer.part(recordPages(authorization, record), [file])
  const certificate = await writer.part(signingPage(authorization, null), [file])
  const unsigned = { authorization, signature: null, drawing: null, copy: { for: "preview" } } as const
  const first = await writer.part(authorizationPages(unsigned), [file])
  await writer.finish(file, {
    parts: [first, pages, certificate],
    frame,
    attachments: [],
    metadata: metadataOf(authorization, authorization.veteran.fullName, Buffer.from(authorization.documentId))
  })
}

const maxName = 80

/** A sheet that falls out of a chart must not get into another one. The summary has a long name in full. */
const personLine = ({ veteran: { dateOfBirth, fullName } }: Pick<SignedAuthorization, "veteran">) => {
  const name = inOneLine(fullName)
  const shown = name.length <= maxName ? name : `${name.slice(0, maxName).replace(/[\uD800-\uDBFF]$/, "")}…`
  return `${shown}, born ${dateOfBirth} – released by their authorization`
}

const notices = (authorization: Pick<SignedAuthorization, "sensitiveCategories">) =>
  releasesSubstanceUse(authorization) ? [substanceUseNotice] : []

const metadataOf = ({ signedAt }: Pick<SignedAuthorization, "signedAt">, author: string, id: Buffer) => ({
  title,
  author,
  subject: "Signed authorization, 45 CFR 164.508 and 38 CFR 1.475",
  language: "en-US",
  createdAt: new Date(signedAt),
  id
})
