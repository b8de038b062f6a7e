import { Context, Effect, Layer, Option } from "effect"
import { type InvalidRequest, type NotFound, orNotFound } from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { Sharing, SharingKind, SharingPage, Stopped } from "../../domain/Sharing.ts"
import { Actors, type ActorTransaction } from "../../sql/Actor.ts"
import type { EdgeError } from "../../sql/Connections.ts"
import * as SharingRepository from "../../sql/consent/SharingRepository.ts"
import type { PageQuery } from "../../sql/Page.ts"
import { Crypto } from "../platform/Crypto.ts"
import { Paging } from "../platform/Paging.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import type { SignedAuthorization } from "../release/SignedAuthorization.ts"
import { pageOfGrants } from "./EndedGrants.ts"

/** One list of all who may read a veteran's record, and the ways to stop them. */
export class Sharings extends Context.Service<Sharings, {
  /** The newest first. */
  readonly list: (
    veteranId: VeteranId,
    query: PageRequest & { readonly status?: "active" | "ended" | undefined }
  ) => Effect.Effect<typeof SharingPage.Type, InvalidRequest>
  /** Takes effect at once, on every process. Stopping again changes nothing, and so does stopping what has expired. */
  readonly stop: (veteranId: VeteranId, kind: SharingKind, id: string) => Effect.Effect<Sharing, NotFound>
  /** Stops everything in one transaction, and counts what was active. */
  readonly stopAll: (veteranId: VeteranId) => Effect.Effect<Stopped>
  /** Reads active and ended ones in the veteran's transaction, the newest first. */
  readonly all: (
    query: PageQuery & { readonly veteranId: VeteranId }
  ) => Effect.Effect<ReadonlyArray<Sharing>, EdgeError, ActorTransaction>
}>()("vrss/services/consent/Sharings") {
  static readonly layer = Layer.effect(
    Sharings,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const paging = yield* Paging

      const authorization = Effect.fnUntraced(function*(veteranId: VeteranId, id: DocumentId, sealed: Uint8Array) {
        const json = yield* crypto.openText(placeOf("documents", "authorization_ciphertext", veteranId, id), sealed)
        return JSON.parse(json) as SignedAuthorization
      })

      const ofLink = Effect.fnUntraced(function*(veteranId: VeteranId, row: SharingRow<"links">) {
        const place = placeOf("secure_links", "recipient_email_ciphertext", veteranId, row.id)
        const email = yield* crypto.openText(place, row.recipientEmailCiphertext)
        const { authorizationCiphertext: sealed, codeSentAt, documentId, notifiedAt, openedAt, viewedAt } = row
        const signed = documentId === null || sealed === null
          ? undefined
          : yield* authorization(veteranId, documentId, sealed)
        return {
          ...standing(row),
          kind: "link",
          who: { name: row.recipientName, organization: null, email, npi: null },
          purpose: signed?.purpose.code ?? null,
          what: signed === undefined ? nothing : released(signed),
          steps: { notifiedAt, openedAt, codeSentAt, viewedAt },
          releaseId: documentId
        } as const
      })

      const ofRelease = Effect.fnUntraced(function*(veteranId: VeteranId, row: SharingRow<"releases">) {
        const signed = yield* authorization(veteranId, row.id, row.authorizationCiphertext)
        const { email, name, organization } = signed.recipient
        return {
          ...standing(row),
          kind: "release",
          who: { name, organization: organization ?? null, email, npi: null },
          purpose: signed.purpose.code,
          what: released(signed),
          steps: null,
          releaseId: null
        } as const
      })

      /** Reads at most `query.limit` of all kinds together. Their ids are in the order of their making. */
      const read = Effect.fnUntraced(function*(query: SharingRepository.SharingQuery) {
        const rows = [
          ...(yield* SharingRepository.grants(query)).map((row) => ({
            id: row.id,
            open: Effect.succeed(ofGrant(row))
          })),
          ...(yield* SharingRepository.links(query)).map((row) => ({ id: row.id, open: ofLink(query.veteranId, row) })),
          ...(yield* SharingRepository.releases(query)).map((row) => ({
            id: row.id,
            open: ofRelease(query.veteranId, row)
          }))
        ].sort((one, other) => one.id < other.id ? 1 : -1).slice(0, query.limit)
        const looks = new Map(
          (yield* SharingRepository.looks(rows.map(({ id }) => id))).map((row) => [row.subjectId, row])
        )
        const items: Array<Sharing> = []
        for (const { id, open } of rows) {
          const { lastAt = null, looks: count = 0 } = looks.get(id) ?? {}
          items.push({ ...(yield* open), looks: { count, lastAt } })
        }
        return items
      })

      const find = (veteranId: VeteranId, kind: SharingKind, id: string) =>
        Effect.map(
          read({ veteranId, id, after: undefined, limit: 1 }),
          ([found]) => Option.liftPredicate(found, (one): one is Sharing => one?.kind === kind)
        )

      const list: Sharings["Service"]["list"] = Effect.fn("Sharings.list")(
        function*(veteranId, { status = "active", ...request }) {
          return yield* pageOfGrants(
            paging,
            `sharing|${veteranId}|${status}`,
            request,
            (query) => read({ ...query, veteranId, isActive: status === "active" }),
            ({ ended, kind }) => ended !== null && (kind === "provider" || kind === "app")
          ).pipe(asVeteran(veteranId))
        }
      )

      const stop: Sharings["Service"]["stop"] = Effect.fn("Sharings.stop")(
        function*(veteranId, kind, id) {
          return yield* Effect.gen(function*() {
            yield* orNotFound(find(veteranId, kind, id))
            if (kind === "link") yield* SharingRepository.stopLink(veteranId, id)
            else if (kind === "release") yield* SharingRepository.stopRelease(veteranId, id)
            else yield* SharingRepository.stopGrant(veteranId, id)
            return Option.getOrThrow(yield* find(veteranId, kind, id))
          }).pipe(asVeteran(veteranId))
        }
      )

      const stopAll = Effect.fn("Sharings.stopAll")(function*(veteranId: VeteranId) {
        const { apps, grants, links, releases } = yield* SharingRepository.stopAll.pipe(
          asVeteran(veteranId)
        )
        return { provider: grants, app: apps, link: links, release: releases }
      })

      return Sharings.of({ list, stop, stopAll, all: read })
    })
  )
}

type SharingRow<Kind extends "grants" | "links" | "releases"> = Effect.Success<
  ReturnType<typeof SharingRepository[Kind]>
>[number]

type Standing = Pick<Sharing, "id" | "ended" | "since" | "until">

const standing = ({ ended, id, since, until }: Standing) =>
  ({ id, ended, since, until, status: ended === null ? "active" : "ended" }) as const

const ofGrant = (row: SharingRow<"grants">) => {
  const { includeDocuments, includeSelfReported, kind, purpose, resourceTypes, sensitiveCategories, who } = row
  const what = {
    resourceTypes,
    sensitiveCategories,
    includeSelfReported,
    includeDocuments,
    documentId: null,
    items: null
  }
  return { ...standing(row), kind, who, purpose, what, steps: null, releaseId: null }
}

/** A deleted release says nothing of what it carried. An empty list of types is not null, which stands for all. */
const nothing: Sharing["what"] = {
  resourceTypes: [],
  sensitiveCategories: [],
  includeSelfReported: false,
  includeDocuments: false,
  documentId: null,
  items: null
}

/** The counts of the signed manifest know no dates, so a release between dates has none. */
const released = (signed: SignedAuthorization): Sharing["what"] => {
  const { dateFrom, dateTo, documents, resourceTypes } = signed.information
  return {
    resourceTypes,
    sensitiveCategories: signed.sensitiveCategories.map(({ category }) => category),
    includeSelfReported: false,
    includeDocuments: documents.length > 0,
    documentId: signed.documentId,
    items: dateFrom === null && dateTo === null
      ? signed.record.reduce((sum, { itemCount }) => sum + itemCount, 0)
      : null
  }
}
