import { Readable } from "node:stream"
import { categoryNames, purposeNames, statements, substanceUseNotice } from "../../domain/ReleaseStatements.ts"
import { notSearched } from "../../domain/SensitiveCategory.ts"
import { isIncomplete } from "../../domain/SyncState.ts"
import type { Block } from "../pdf/Lines.ts"
import { PdfFile } from "../pdf/PdfFile.ts"
import { PdfWriter } from "../pdf/PdfWriter.ts"
import type { Picture } from "../pdf/Picture.ts"
import type { SealingIdentity } from "../pdf/Signer.ts"
import { minuteOf, secondOf } from "../platform/Instants.ts"
import { completeness, count, inOneLine, plural } from "./ReleaseWords.ts"
import { confirmedTypes, type SignedAuthorization } from "./SignedAuthorization.ts"

export interface ReleaseContent {
  readonly authorization: SignedAuthorization
  /** These bytes are the authorization as RFC 8785 JSON; `sha256` is theirs. */
  readonly json: Buffer
  readonly sha256: Buffer
  readonly verificationUrl: string
  readonly drawing: Picture | null
  /** `withheld` counts, per type, the items that the recipient does not see. */
  readonly copy: { readonly for: "recipient" } | {
    readonly for: "veteran"
    readonly withheld: ReadonlyMap<string, number>
  }
}

const title = "Authorization to Release Health Information"

/**
 * Sets a signed release as a document (roi-authorization.md). 38 U.S.C. 7332(a)(2) forbids telling a recipient that a
 * special consent was required: the recipient's copy is made of nothing but what is released, so that it is the same to
 * the byte whatever is withheld. The veteran's copy says at the top of its pages what it is, and differs in sections G
 * and I.
 */
export const layOutRelease = async (content: ReleaseContent, identity?: SealingIdentity): Promise<Buffer> => {
  const { authorization, copy, json, sha256, verificationUrl } = content
  const createdAt = new Date(authorization.signedAt)
  const written: Array<Uint8Array> = []
  const file = new PdfFile(async (bytes) => {
    written.push(bytes)
  })
  const frame = {
    header: copy.for === "veteran" ? `${title} – Veteran’s copy, do not pass on` : title,
    footer: [
      `Document ${authorization.documentId}`,
      `SHA-256 ${sha256.toString("hex")}`,
      `Verify at ${verificationUrl}`,
      ...releasesSubstanceUse(authorization) ? [substanceUseNotice] : []
    ]
  }
  const writer = new PdfWriter([frame])
  const parts = [
    await writer.part(sections.flatMap((section) => section(content)), [file]),
    await writer.part(certificate(content), [file])
  ]
  const attached = await writer.attach({
    name: "authorization.json",
    mimeType: "application/json",
    description: "The authorization that was signed, as canonical JSON (RFC 8785)",
    relationship: "Data",
    createdAt,
    bytes: Readable.from([json])
  }, [file])
  await writer.finish(file, {
    parts,
    frame,
    attachments: [attached],
    metadata: {
      title,
      author: authorization.signature.typedName,
      subject: "Signed authorization, 45 CFR 164.508 and 38 CFR 1.475",
      language: "en-US",
      createdAt,
      id: sha256
    },
    ...identity !== undefined && { identity }
  })
  return Buffer.concat(written)
}

type Section = (content: ReleaseContent) => ReadonlyArray<Block>

const heading = (text: string): Block => ({ kind: "heading", level: 2, text })

const paragraph = (text: string): Block => ({ kind: "paragraph", text })

const when = (condition: boolean, ...blocks: ReadonlyArray<Block>) => condition ? blocks : []

type Item = readonly [label: string, text: string]

const labels = 140

const rows = (...items: ReadonlyArray<Item | false>): Block => ({
  kind: "list",
  labels,
  items: items.filter((item) => item !== false)
})

const numbered = (texts: ReadonlyArray<string>): Block => ({
  kind: "list",
  labels: 34,
  items: texts.map((text, index) => [`${index + 1}.`, text])
})

const whoseRecord: Section = ({ authorization: { documentId, signedAt, supersedes, veteran }, copy }) => [
  { kind: "heading", level: 1, text: title },
  ...when(copy.for === "veteran", {
    kind: "warning",
    text: "Veteran’s copy\nFor you alone: it also shows what you chose not to release. Do not pass it on. " +
      "The recipient has a copy of its own."
  }),
  rows(
    ["Whose record", veteran.fullName],
    ["Date of birth", veteran.dateOfBirth],
    ["Signed", minuteOf(signedAt)],
    ["Document", documentId],
    supersedes !== null && ["Replaces document", supersedes]
  )
]

const whatIsReleased: Section = ({ authorization: { information } }) => {
  const { dateFrom, dateTo, documents, resourceTypes } = information
  const range = [...dateFrom === null ? [] : [`from ${dateFrom}`], ...dateTo === null ? [] : [`through ${dateTo}`]]
  return [
    heading("A. What is released"),
    rows(
      ["Kinds of record", resourceTypes.join(", ")],
      range.length > 0 && ["Dates", range.join(" ")],
      documents.length > 0 && ["Documents", plural(documents.length, "document")]
    ),
    ...when(
      documents.length > 0,
      numbered(
        documents.map(({ byteSize, contentType, sha256, title }) =>
          `${inOneLine(title)}\n${contentType}, ${plural(byteSize, "byte")}\nSHA-256 ${sha256}`
        )
      )
    )
  ]
}

const fromWhom: Section = ({ authorization: { disclosingParty } }) => [
  heading("B. From whom"),
  rows(["Name", disclosingParty.name])
]

const toWhom: Section = ({ authorization: { recipient } }) => [
  heading("C. To whom"),
  rows(
    ["Name", recipient.name],
    !!recipient.title && ["Title", recipient.title],
    !!recipient.organization && ["Organization", recipient.organization],
    ["E-mail", recipient.email],
    !!recipient.npi && ["NPI", recipient.npi]
  )
]

const why: Section = ({ authorization: { purpose } }) => [
  heading("D. Why"),
  rows(["Purpose", purposeNames[purpose.code]], !!purpose.text && ["In the signer’s words", purpose.text])
]

const untilWhen: Section = ({ authorization: { endsAt, expiration } }) => [
  heading("E. Until when"),
  rows(
    expiration.date
      ? ["Ends on", `${expiration.date}, through the end of that day, UTC`]
      : ["Ends with", `${expiration.event}\n… and at the latest on ${minuteOf(endsAt)}`]
  )
]

const whatWasTold: Section = ({ authorization: { statementsVersion } }) => [
  heading("F. Statements"),
  paragraph(`The signer has read and accepted these statements (version ${statementsVersion}):`),
  numbered(statements)
]

const protectedInformation: Section = ({ authorization, copy }) => {
  const released = new Map(authorization.sensitiveCategories.map(({ acceptedAt, category }) => [category, acceptedAt]))
  const categories = Object.keys(categoryNames) as ReadonlyArray<keyof typeof categoryNames>
  const shown = copy.for === "veteran" ? categories : categories.filter((category) => released.has(category))
  const items = shown.map((category): Item => {
    const acceptedAt = released.get(category)
    return [
      categoryNames[category],
      acceptedAt === undefined ? "Not released" : `Released, accepted ${minuteOf(acceptedAt)}`
    ]
  })
  return [
    heading("G. Specially protected information"),
    items.length > 0
      ? { kind: "list", labels: 250, items }
      : paragraph("No category of specially protected information was added to this release."),
    ...when(releasesSubstanceUse(authorization), paragraph(substanceUseNotice)),
    // In the veteran's copy alone: nothing tells a recipient how information is chosen.
    ...when(copy.for === "veteran", paragraph(notSearched))
  ]
}

const releasesSubstanceUse = ({ sensitiveCategories }: SignedAuthorization) =>
  sensitiveCategories.some(({ category }) => category === "drug_abuse" || category === "alcohol_abuse")

const signed: Section = ({ authorization: { signature, signedAt }, drawing }) => [
  heading("H. Signature"),
  rows(
    ["Signed by", signature.typedName],
    ["Signed as", signature.signerRole === "veteran" ? "Veteran" : "Representative of the veteran"],
    !!signature.authority && ["Authority", signature.authority],
    signature.nameDiffers === true &&
      ["Name", "The signer confirmed that the name signed with differs from the name of the record."],
    ["Consent", "The signer typed this name and consented to sign electronically."],
    ["Signed", minuteOf(signedAt)]
  ),
  ...drawing === null
    ? []
    : [{ kind: "picture", picture: drawing, alt: `Drawn signature of ${signature.typedName}`, indent: labels } as const]
]

const howComplete: Section = ({ authorization: { incompleteRecordConfirmed, information, record }, copy }) => {
  const withheld = copy.for === "veteran" ? copy.withheld : new Map<string, number>()
  return [
    heading("I. How complete the record is"),
    paragraph("At the moment of signing the record held, of each kind:"),
    {
      kind: "list",
      labels: 190,
      items: record.map((entry) => {
        const hidden = withheld.get(entry.resourceType) ?? 0
        return [entry.resourceType, completeness(entry) + (hidden > 0 ? `; ${count(hidden)} more withheld` : "")]
      })
    },
    ...when(
      information.dateFrom !== null || information.dateTo !== null,
      paragraph("The numbers are of the whole kind, not only of the dates in section A.")
    ),
    ...when(
      record.some(({ lastFetch, resourceType }) => confirmedTypes.includes(resourceType) && isIncomplete(lastFetch)),
      paragraph(
        `The signer ${incompleteRecordConfirmed ? "confirmed" : "did not confirm"} sharing an incomplete record.`
      )
    )
  ]
}

const sections = [
  whoseRecord,
  whatIsReleased,
  fromWhom,
  toWhom,
  why,
  untilWhen,
  whatWasTold,
  protectedInformation,
  signed,
  howComplete
]

const certificate: Section = ({ authorization: { documentId, session, signedAt, statementsVersion }, ...content }) => [
  heading("Certificate of signing"),
  paragraph("The service recorded how this authorization was signed:"),
  rows(
    ["When", secondOf(signedAt)],
    ["Document", documentId],
    ["Session", session.id],
    ["Client address", session.clientAddress],
    ["User agent", session.userAgent],
    ["Statements", statementsVersion]
  ),
  paragraph(
    "What was signed is the file authorization.json that is attached to this document: the authorization as canonical " +
      `JSON (RFC 8785). Its SHA-256 is\n${content.sha256.toString("hex")}`
  ),
  paragraph(
    "The document is sealed with the service’s key: a PDF reader that checks signatures reports any later change. " +
      `It can be verified at\n${content.verificationUrl}`
  )
]
