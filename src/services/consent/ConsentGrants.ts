import { Clock, Context, Effect, Layer, Option } from "effect"
import {
  type ConsentGrant,
  type ConsentGrantPage,
  grantLimits,
  type NewConsentGrant
} from "../../domain/ConsentGrant.ts"
import { Conflict, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import type { GrantId, VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as ConsentGrantRepository from "../../sql/consent/ConsentGrantRepository.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"

export class ConsentGrants extends Context.Service<ConsentGrants, {
  readonly list: (
    veteranId: VeteranId,
    page: PageRequest
  ) => Effect.Effect<typeof ConsentGrantPage.Type, InvalidRequest>
  readonly give: (
    veteranId: VeteranId,
    grant: typeof NewConsentGrant.Type
  ) => Effect.Effect<ConsentGrant, InvalidRequest | Conflict>
  /** Revoking again changes nothing; an expired grant is a conflict. */
  readonly revoke: (veteranId: VeteranId, grantId: GrantId) => Effect.Effect<ConsentGrant, NotFound | Conflict>
}>()("vrss/services/consent/ConsentGrants") {
  static readonly layer = Layer.effect(
    ConsentGrants,
    Effect.gen(function*() {
      const paging = yield* Paging
      const grants = ConsentGrantRepository.make(yield* SharedConnections)
      // An insert waits while another request gives a grant of the same veteran, so it uses its own connection.
      const sql = yield* OwnConnections
      const own = ConsentGrantRepository.make(sql)

      const list = Effect.fn("ConsentGrants.list")((veteranId: VeteranId, request: PageRequest) =>
        paging.byId(`consent-grants|${veteranId}`, request, (query) => grants.list({ ...query, veteranId }))
      )

      const insert = Effect.fnUntraced(
        function*(veteranId: VeteranId, id: GrantId, grant: Omit<typeof NewConsentGrant.Type, "supersedes">) {
          const inserted = yield* own.insert({ ...grant, id, veteranId })
          if (Option.isNone(inserted)) {
            return yield* InvalidRequest.at(["providerId"], "Expected the id of a provider from the provider directory")
          }
          return "hasRoom" in inserted.value ? yield* new Conflict({ message: noRoom }) : inserted.value
        }
      )

      const give = Effect.fn("ConsentGrants.give")(
        function*(veteranId: VeteranId, { supersedes, ...grant }: typeof NewConsentGrant.Type) {
          if (grant.expiresAt.getTime() <= (yield* Clock.currentTimeMillis)) {
            return yield* InvalidRequest.at(["expiresAt"], "Expected a time in the future")
          }
          const id: GrantId = newId()
          if (supersedes === undefined) return yield* insert(veteranId, id, grant)
          const { providerId } = grant
          return yield* atEdge(sql.withTransaction(Effect.gen(function*() {
            const ended = yield* own.supersede({ veteranId, grantId: supersedes, providerId, by: id })
            if (Option.isNone(ended)) return yield* new Conflict({ message: notActive })
            return yield* insert(veteranId, id, grant)
          })))
        }
      )

      const revoke = Effect.fn("ConsentGrants.revoke")(function*(veteranId: VeteranId, grantId: GrantId) {
        const key = { veteranId, grantId }
        const revoked = yield* grants.revoke(key)
        if (Option.isSome(revoked)) return revoked.value
        const grant = yield* grants.find(key)
        if (Option.isNone(grant)) return yield* new NotFound()
        return grant.value.status === "revoked"
          ? grant.value
          : yield* new Conflict({ message: "This consent grant has expired." })
      })

      return ConsentGrants.of({ list, give, revoke })
    })
  )
}

const notActive = "The grant to replace is not an active one to this provider. Look at the list of who has the record."

const noRoom =
  `A veteran may have ${grantLimits.perVeteran} active consent grants, ${grantLimits.perProvider} of them for ` +
  "one provider: revoke one of them first."
