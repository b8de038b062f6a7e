import { Effect, Schema } from "effect"
import { DocumentId } from "../../../src/domain/Id.ts"
import { AuthorizationRequest, type PreviewRequest } from "../../../src/domain/Release.ts"
import type { Client } from "../AppClient.ts"
import { me } from "../session/Own.ts"

const { expiration, purpose, recipient, sensitiveCategories, veteran } = AuthorizationRequest.fields

const { resourceTypes } = AuthorizationRequest.fields.information.fields

/** What the file authorization.json in a signed release says of the request that was signed. */
const OwnAuthorization = Schema.Struct({
  veteran,
  recipient,
  purpose,
  expiration,
  sensitiveCategories,
  supersedes: Schema.NullOr(DocumentId),
  information: Schema.Struct({
    resourceTypes,
    dateFrom: Schema.NullOr(Schema.String),
    dateTo: Schema.NullOr(Schema.String),
    documents: Schema.Array(Schema.Struct({ id: DocumentId }))
  }),
  signature: Schema.Struct({ typedName: Schema.String })
})

export type OwnAuthorization = typeof OwnAuthorization.Type

const decode = Schema.decodeUnknownPromise(OwnAuthorization)

/** Reads the authorization inside the veteran's own copy of a release. Nothing but the file has all of it. */
export const authorizationIn = (bytes: Uint8Array) =>
  Effect.tryPromise(async (signal) => {
    const { openPdf } = await import("../../shared/pdf/PdfFile.ts")
    const reading = new AbortController()
    signal.addEventListener("abort", () => reading.abort())
    try {
      const file = await openPdf(bytes, reading.signal)
      const found = (await file.attachments()).find(({ name }) => name === "authorization.json")
      if (found === undefined) throw new Error("This release has no authorization.")
      return await decode(JSON.parse(new TextDecoder().decode(await found.read())))
    } finally {
      reading.abort()
    }
  })

export const ownAuthorization = ({ documents }: Client, documentId: DocumentId) =>
  Effect.flatMap(documents.content({ params: { ...me, documentId } }), authorizationIn)

type Asked = Pick<PreviewRequest, "expiration" | "purpose" | "recipient" | "sensitiveCategories" | "veteran"> & {
  readonly information: Pick<OwnAuthorization["information"], "resourceTypes"> & {
    readonly dateFrom?: string | null | undefined
    readonly dateTo?: string | null | undefined
  }
  readonly supersedes?: string | null | undefined
}

/** A hash by which a release is recognized as the one that was asked for. It tells nothing of the release. */
const digestOf = (asked: Asked, documents: ReadonlyArray<string>, typedName: string) => {
  const { expiration, information, purpose, recipient, sensitiveCategories = [], supersedes, veteran } = asked
  const text = JSON.stringify([
    [veteran.fullName, veteran.dateOfBirth],
    [recipient.name, recipient.organization, recipient.title, recipient.email, recipient.npi].map(orNull),
    [purpose.code, orNull(purpose.text)],
    [information.resourceTypes, orNull(information.dateFrom), orNull(information.dateTo), documents],
    [orNull(expiration.date), orNull(expiration.event)],
    sensitiveCategories.map(({ acceptedAt, category }) => [category, acceptedAt.getTime()]),
    [orNull(supersedes), typedName]
  ])
  return Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (hash) => Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )
}

const orNull = (text: string | null | undefined) => text ?? null

export const digestOfRequest = (request: PreviewRequest, typedName: string) =>
  digestOf(request, request.information.documentIds ?? [], typedName)

export const digestOfOwn = (own: OwnAuthorization) =>
  digestOf(own, own.information.documents.map(({ id }) => id), own.signature.typedName)
