import { categoryNames, purposeNames, statements, substanceUseNotice } from "../../domain/ReleaseStatements.ts"
import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import { notSearched } from "../../domain/SensitiveCategory.ts"
import { isIncomplete } from "../../domain/SyncState.ts"
import type { Block } from "../pdf/Lines.ts"
import type { Picture } from "../pdf/Picture.ts"
import { minuteOf } from "../platform/Instants.ts"
import { completeness, count, inOneLine, plural } from "./ReleaseWords.ts"
import { confirmedTypes, type DraftAuthorization, type SignedAuthorization } from "./SignedAuthorization.ts"

/** What the authorization's pages show. */
export interface AuthorizationContent {
  readonly authorization: DraftAuthorization
  /** Null in a preview. */
  readonly signature: SignedAuthorization["signature"] | null
  readonly drawing: Picture | null
  /** `withheld` counts, per type, the items that the recipient does not see. */
  readonly copy:
    | { readonly for: "recipient" }
    | { readonly for: "veteran"; readonly withheld: ReadonlyMap<string, number> }
    | { readonly for: "preview" }
}

export const title = "Authorization to Release Health Information"

const notSigned = "Not signed yet"

/** Placeholder for a value that only signing gives. */
export const atSigning = "Given when it is signed"

/** A resource type in plain words, with its FHIR name. */
const named = (resourceType: string) => {
  const words = wordsFor(resourceType)
  return words === resourceType ? words : `${words} (${resourceType})`
}

type Section = (content: AuthorizationContent) => ReadonlyArray<Block>

const heading = (text: string, level: 1 | 2 = 2): Block => ({ kind: "heading", level, text })

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
  heading(title, 1),
  ...when(copy.for === "veteran", {
    kind: "warning",
    text: "Veteran’s copy\nFor you alone: it also shows what you chose not to release. Do not pass it on. " +
      "The recipient has a copy of its own."
  }),
  rows(
    ["Whose record", veteran.fullName],
    ["Date of birth", veteran.dateOfBirth],
    ["Signed", copy.for === "preview" ? notSigned : minuteOf(signedAt)],
    ["Document", copy.for === "preview" ? atSigning : documentId],
    supersedes !== null && ["Replaces document", supersedes]
  )
]

const whatIsReleased: Section = ({ authorization: { information } }) => {
  const { dateFrom, dateTo, documents, resourceTypes } = information
  const range = [...dateFrom === null ? [] : [`from ${dateFrom}`], ...dateTo === null ? [] : [`through ${dateTo}`]]
  return [
    heading("A. What is released"),
    rows(
      ["Kinds of record", resourceTypes.map(named).join("; ")],
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

const whatWasTold: Section = ({ authorization: { statementsVersion }, copy }) => [
  heading("F. Statements"),
  paragraph(
    copy.for === "preview"
      ? `Who signs reads and accepts these statements first (version ${statementsVersion}):`
      : `The signer has read and accepted these statements (version ${statementsVersion}):`
  ),
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
    // Only the veteran's copy explains how information was chosen.
    ...when(copy.for === "veteran", paragraph(notSearched))
  ]
}

export const releasesSubstanceUse = ({ sensitiveCategories }: Pick<SignedAuthorization, "sensitiveCategories">) =>
  sensitiveCategories.some(({ category }) => category === "drug_abuse" || category === "alcohol_abuse")

const signed: Section = ({ authorization: { signedAt }, drawing, signature }) => [
  heading("H. Signature"),
  signature === null ? rows(["Signed by", notSigned]) : rows(
    ["Signed by", signature.typedName],
    ["Signed as", signature.signerRole === "veteran" ? "Veteran" : "Representative of the veteran"],
    !!signature.authority && ["Authority", signature.authority],
    signature.nameDiffers === true &&
      ["Name", "The signer confirmed that the name signed with differs from the name of the record."],
    ["Consent", "The signer typed this name and consented to sign electronically."],
    ["Signed", minuteOf(signedAt)]
  ),
  ...drawing === null || signature === null
    ? []
    : [
      {
        kind: "picture",
        picture: drawing,
        alt: `Drawn signature of ${signature.typedName}`,
        indent: labels
      } as const
    ]
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
        return [named(entry.resourceType), completeness(entry) + (hidden > 0 ? `; ${count(hidden)} more withheld` : "")]
      })
    },
    ...when(
      information.dateFrom !== null || information.dateTo !== null,
      paragraph("The numbers are of the whole kind, not only of the dates in section A.")
    ),
    ...when(
      record.some(({ lastFetch, resourceType }) => confirmedTypes.includes(resourceType) && isIncomplete(lastFetch)),
      paragraph(
        copy.for === "preview"
          ? "Whether the signer confirmed sharing an incomplete record is recorded when it is signed."
          : `The signer ${incompleteRecordConfirmed ? "confirmed" : "did not confirm"} sharing an incomplete record.`
      )
    )
  ]
}

/** The head of the authorization and its sections A to I (roi-authorization.md), each under a heading. */
export const authorizationPages = (content: AuthorizationContent): ReadonlyArray<Block> =>
  sections.flatMap((section) => section(content))

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
