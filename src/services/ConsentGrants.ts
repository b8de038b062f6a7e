import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import * as ConsentGrantRepository from "../sql/ConsentGrantRepository.ts"
import { Statements } from "../sql/Statements.ts"
import { ApiError, Conflict, InvalidRequest, NotFound } from "./ApiError.ts"
import { Id, newId } from "./Ids.ts"
import { ResourceType } from "./Manifest.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { SensitiveCategory } from "./SensitiveCategories.ts"
import { Instant, SentInstant, Text } from "./Text.ts"

export class ConsentRequired extends ApiError<ConsentRequired>()("ConsentRequired", {
  code: "consent_required",
  status: 403,
  message: "No active consent grant of this veteran covers what is asked."
}) {}

/** What a veteran lets one provider read, and until when. */
export const NewConsentGrant = Schema.Struct({
  providerId: Id,
  /** Null: every type. */
  resourceTypes: Schema.NullOr(Schema.Array(ResourceType).check(Schema.isMinLength(1), Schema.isMaxLength(200))),
  /** Specially protected information is included only by name (38 U.S.C. 7332). */
  sensitiveCategories: Schema.Array(SensitiveCategory).check(Schema.isMaxLength(10)),
  includeSelfReported: Schema.Boolean,
  includeDocuments: Schema.Boolean,
  purpose: Text(500),
  expiresAt: SentInstant
}).annotate({ identifier: "NewConsentGrant" })

export const ConsentGrant = Schema.Struct({
  ...ConsentGrantRepository.GrantRow.fields,
  grantedAt: Instant,
  expiresAt: Instant,
  revokedAt: Schema.NullOr(Instant)
}).annotate({ identifier: "ConsentGrant" })
export type ConsentGrant = typeof ConsentGrant.Type

export const ConsentGrantPage = PageOf(ConsentGrant)

export class ConsentGrants extends Context.Service<ConsentGrants, {
  readonly list: (veteranId: string, page: PageRequest) => Effect.Effect<typeof ConsentGrantPage.Type, InvalidRequest>
  readonly give: (veteranId: string, grant: typeof NewConsentGrant.Type) => Effect.Effect<ConsentGrant, InvalidRequest>
  /** Revoking what is revoked changes nothing; an expired grant is a conflict. */
  readonly revoke: (veteranId: string, grantId: string) => Effect.Effect<ConsentGrant, NotFound | Conflict>
}>()("vrss/ConsentGrants") {
  static readonly layer = Layer.effect(
    ConsentGrants,
    Effect.gen(function*() {
      const paging = yield* Paging
      const grants = ConsentGrantRepository.make(yield* Statements)

      const list = Effect.fn("ConsentGrants.list")((veteranId: string, request: PageRequest) =>
        paging.byId(`consent-grants|${veteranId}`, request, (query) => grants.list({ ...query, veteranId }))
      )

      const give = Effect.fn("ConsentGrants.give")(function*(veteranId: string, grant: typeof NewConsentGrant.Type) {
        if (grant.expiresAt.getTime() <= (yield* Clock.currentTimeMillis)) {
          return yield* InvalidRequest.at(["expiresAt"], "Expected a time in the future")
        }
        const given = yield* grants.insert({ ...grant, id: newId(), veteranId })
        return Option.isSome(given)
          ? given.value
          : yield* InvalidRequest.at(["providerId"], "Expected the id of a provider from the provider directory")
      })

      const revoke = Effect.fn("ConsentGrants.revoke")(function*(veteranId: string, grantId: string) {
        const key = { veteranId, grantId }
        const revoked = yield* grants.revoke(key)
        if (Option.isSome(revoked)) return revoked.value
        const found = yield* grants.find(key)
        if (Option.isNone(found)) return yield* new NotFound()
        return found.value.status === "revoked"
          ? found.value
          : yield* new Conflict({ message: "This consent grant has expired." })
      })

      return ConsentGrants.of({ list, give, revoke })
    })
  )
}
