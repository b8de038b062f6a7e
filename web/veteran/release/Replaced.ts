import { Effect } from "effect"
import { useCallback } from "react"
import { DocumentId } from "../../../src/domain/Id.ts"
import type { Client } from "../AppClient.ts"
import { me, useOwnRead } from "../session/Own.ts"
import { newRelease, type ReleaseDraft } from "./Draft.ts"
import { type OwnAuthorization, ownAuthorization } from "./OwnRelease.ts"

/** A release in force, which a new one ends. */
export interface Replaced {
  readonly id: DocumentId
  readonly signedAt: Date
  /** A draft with all that it has but its protected parts: each of them is accepted anew. */
  readonly draft: ReleaseDraft
  readonly categories: ReadonlyArray<string>
}

const draftOf = (own: OwnAuthorization): ReleaseDraft => {
  const { expiration, information, purpose, recipient, veteran } = own
  const { email, name, npi, organization, title } = recipient
  const { dateFrom, dateTo, documents, resourceTypes } = information
  return {
    ...newRelease,
    veteran,
    recipient: { name, email, organization: organization ?? "", title: title ?? "", npi: npi ?? "" },
    purpose: { code: purpose.code, text: purpose.text ?? "" },
    kinds: resourceTypes,
    dateFrom: dateFrom ?? "",
    dateTo: dateTo ?? "",
    documents: documents.map(({ id }) => id),
    until: expiration.date ? { is: "day", day: expiration.date } : { is: "event", event: expiration.event ?? "" }
  }
}

/** Returns undefined if the release is no longer in force, or is none. */
const read = Effect.fnUntraced(function*(client: Client, documentId: DocumentId) {
  const document = yield* Effect.catchTag(
    client.documents.get({ params: { ...me, documentId } }),
    "NotFound",
    () => Effect.succeed(null)
  )
  if (document?.release?.status !== "in_force" || document.signedAt === null) return undefined
  const own = yield* ownAuthorization(client, documentId)
  const categories = (own.sensitiveCategories ?? []).map(({ category }) => category)
  const replaced: Replaced = { id: documentId, signedAt: document.signedAt, draft: draftOf(own), categories }
  return replaced
})

export const useReplaced = (id: string) =>
  useOwnRead(useCallback((client: Client) => read(client, DocumentId.make(id)), [id]))
