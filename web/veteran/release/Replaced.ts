import { Effect } from "effect"
import { useMemo } from "react"
import { DocumentId } from "../../../src/domain/Id.ts"
import { useRead } from "../../shared/Call.ts"
import type { Client } from "../AppClient.ts"
import { useSession } from "../session/Session.ts"
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

const params = { veteranId: "me" } as const

/** Returns undefined if the release is no longer in force, or is none. */
const read = Effect.fnUntraced(function*(client: Client, documentId: DocumentId) {
  const document = yield* Effect.catchTag(
    client.documents.get({ params: { ...params, documentId } }),
    "NotFound",
    () => Effect.succeed(null)
  )
  if (document?.release?.status !== "in_force" || document.signedAt === null) return undefined
  const own = yield* ownAuthorization(client, documentId)
  const categories = (own.sensitiveCategories ?? []).map(({ category }) => category)
  const replaced: Replaced = { id: documentId, signedAt: document.signedAt, draft: draftOf(own), categories }
  return replaced
})

export const useReplaced = (id: string) => {
  const { call } = useSession()
  return useRead(useMemo(() => call((client) => read(client, DocumentId.make(id))), [call, id]))
}
