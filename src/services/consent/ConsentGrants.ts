import { Clock, Context, Effect, Layer, Option } from "effect"
import {
  type ConsentGrant,
  type ConsentGrantPage,
  grantLimits,
  grantsGiven,
  type NewConsentGrant
} from "../../domain/ConsentGrant.ts"
import type { DeletionPending } from "../../domain/Deletion.ts"
import { Conflict, InvalidRequest, type NotFound, orNotFound } from "../../domain/Errors.ts"
import type { GrantId, VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { Actors, ActorTransaction } from "../../sql/Actor.ts"
import * as ConsentGrantRepository from "../../sql/consent/ConsentGrantRepository.ts"
import * as SharingTurn from "../../sql/consent/SharingTurn.ts"
import { Paging } from "../platform/Paging.ts"
import { RateLimits } from "../platform/RateLimits.ts"
import { newIdIn, slotOf } from "../platform/Slot.ts"
import { pageOfGrants } from "./EndedGrants.ts"

export class ConsentGrants extends Context.Service<ConsentGrants, {
  readonly list: (
    veteranId: VeteranId,
    page: PageRequest
  ) => Effect.Effect<typeof ConsentGrantPage.Type, InvalidRequest>
  readonly give: (
    veteranId: VeteranId,
    grant: typeof NewConsentGrant.Type
  ) => Effect.Effect<ConsentGrant, InvalidRequest | Conflict | DeletionPending | RateLimited>
  /** Revoking again changes nothing; an expired grant is a conflict. */
  readonly revoke: (veteranId: VeteranId, grantId: GrantId) => Effect.Effect<ConsentGrant, NotFound | Conflict>
}>()("vrss/services/consent/ConsentGrants") {
  static readonly layer = Layer.effect(
    ConsentGrants,
    Effect.gen(function*() {
      const actors = yield* Actors
      const limits = yield* RateLimits
      const paging = yield* Paging

      const list = Effect.fn("ConsentGrants.list")((veteranId: VeteranId, request: PageRequest) =>
        pageOfGrants(
          paging,
          `consent-grants|${veteranId}`,
          request,
          (query) => actors.asVeteran(veteranId)(ConsentGrantRepository.list({ ...query, veteranId })),
          ({ status }) => status !== "active"
        )
      )

      const give = Effect.fn("ConsentGrants.give")(
        function*(veteranId: VeteranId, { supersedes, ...grant }: typeof NewConsentGrant.Type) {
          if (grant.expiresAt.getTime() <= (yield* Clock.currentTimeMillis)) {
            return yield* InvalidRequest.at(["expiresAt"], "Expected a time in the future")
          }
          const id: GrantId = newIdIn(slotOf(veteranId))
          const { providerId } = grant
          return yield* Effect.gen(function*() {
            yield* SharingTurn.take(veteranId)
            if (supersedes !== undefined) {
              const ended = yield* ConsentGrantRepository.supersede({
                veteranId,
                grantId: supersedes,
                providerId,
                by: id
              })
              if (Option.isNone(ended)) return yield* new Conflict({ message: notActive })
            }
            const inserted = yield* ConsentGrantRepository.insert({ ...grant, id, veteranId })
            if (Option.isNone(inserted)) {
              return yield* InvalidRequest.at(
                ["providerId"],
                "Expected the id of a provider from the provider directory"
              )
            }
            if ("hasRoom" in inserted.value) return yield* new Conflict({ message: noRoom })
            yield* ActorTransaction.use((sql) => limits.count(sql, "grants given", veteranId, grantsGiven))
            return inserted.value
          }).pipe(actors.withWaitingActor({ kind: "veteran", veteranId }))
        }
      )

      const revoke = Effect.fn("ConsentGrants.revoke")(function*(veteranId: VeteranId, grantId: GrantId) {
        const key = { veteranId, grantId }
        return yield* Effect.gen(function*() {
          const revoked = yield* ConsentGrantRepository.revoke(key)
          if (Option.isSome(revoked)) return revoked.value
          const grant = yield* orNotFound(ConsentGrantRepository.find(key))
          return grant.status === "revoked"
            ? grant
            : yield* new Conflict({ message: "This consent grant has expired." })
        }).pipe(actors.asVeteran(veteranId))
      })

      return ConsentGrants.of({ list, give, revoke })
    })
  )
}

const notActive = "The grant to replace is not an active one to this provider. Look at the list of who has the record."

const noRoom =
  `A veteran may have ${grantLimits.perVeteran} active consent grants, ${grantLimits.perProvider} of them for ` +
  "one provider: revoke one of them first."
