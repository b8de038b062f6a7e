import { Context, Effect, Layer } from "effect"
import { ConfirmationRequired } from "../../../domain/Confirmation.ts"
import { type Deletion, deletionsAsked, type EndedAccess } from "../../../domain/Deletion.ts"
import { Conflict, InvalidRequest, NotFound, orNotFound } from "../../../domain/Errors.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as DeletionRepository from "../../../sql/account/DeletionRepository.ts"
import { Actors, ActorTransaction } from "../../../sql/Actor.ts"
import { OwnConnections } from "../../../sql/Connections.ts"
import { onVeteran } from "../../../sql/operation/AdminActs.ts"
import { noteAct } from "../../platform/NotedActs.ts"
import { RateLimits } from "../../platform/RateLimits.ts"

type Ends = typeof Deletion.Type

/** Ends a veteran's access and asks for the veteran's deletion (contract, parts 10 and 14.3). */
export class Deletions extends Context.Service<Deletions, {
  /** Ends everything that is shared. Asked again it changes nothing, and answers the same end. */
  readonly ask: (
    veteranId: VeteranId,
    sessionId: string | null,
    callSign: string
  ) => Effect.Effect<Ends, ConfirmationRequired | InvalidRequest | RateLimited>
  readonly find: (veteranId: VeteranId) => Effect.Effect<Ends, NotFound>
  /** Changes nothing if nobody asked. */
  readonly cancel: (veteranId: VeteranId) => Effect.Effect<void>
  /** What the operator does is noted as an act in the same transaction. */
  readonly operator: {
    readonly endAccess: (veteranId: VeteranId) => Effect.Effect<typeof EndedAccess.Type, NotFound>
    readonly ask: (veteranId: VeteranId, reason: string) => Effect.Effect<Ends, NotFound>
    readonly find: (veteranId: VeteranId) => Effect.Effect<Ends, NotFound>
    readonly cancel: (veteranId: VeteranId) => Effect.Effect<void, Conflict | NotFound>
  }
}>()("vrss/services/account/veteran/Deletions") {
  static readonly layer = Layer.effect(
    Deletions,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const limits = yield* RateLimits
      const sql = yield* OwnConnections
      const rows = DeletionRepository.make(sql)

      const ask = Effect.fn("Deletions.ask")(
        function*(veteranId: VeteranId, sessionId: string | null, callSign: string) {
          if (sessionId === null) return yield* new ConfirmationRequired()
          const asked = yield* DeletionRepository.ask(callSign).pipe(
            Effect.tap((asked) =>
              asked.status === "asked" && asked.isNew
                ? ActorTransaction.use((sql) => limits.count(sql, "deletions asked", veteranId, deletionsAsked))
                : Effect.void
            ),
            asVeteran(veteranId)
          )
          switch (asked.status) {
            case "asked":
              return { endsAt: asked.endsAt }
            case "unconfirmed":
              return yield* new ConfirmationRequired()
            case "wrong":
              return yield* InvalidRequest.at(["confirm"], "Expected the veteran's own call sign")
          }
        }
      )

      const inTransaction = onVeteran(sql)

      return Deletions.of({
        ask,
        find: (veteranId) => orNotFound(asVeteran(veteranId)(DeletionRepository.find)),
        cancel: (veteranId) => Effect.asVoid(asVeteran(veteranId)(DeletionRepository.cancel)),
        operator: {
          endAccess: Effect.fn("Deletions.endAccess")((veteranId) =>
            inTransaction(Effect.gen(function*() {
              const ended = yield* orNotFound(rows.endAccess(veteranId))
              yield* noteAct(sql, "access_ended", veteranId)
              return ended
            }))
          ),
          ask: Effect.fn("Deletions.askForVeteran")((veteranId, reason) =>
            inTransaction(Effect.gen(function*() {
              const { endsAt, isNew } = yield* orNotFound(rows.ask(veteranId))
              if (isNew) yield* noteAct(sql, "deletion_asked", veteranId, reason)
              return { endsAt }
            }))
          ),
          find: (veteranId) => orNotFound(rows.find(veteranId)),
          cancel: Effect.fn("Deletions.cancelForVeteran")((veteranId) =>
            inTransaction(Effect.gen(function*() {
              const { status } = yield* rows.cancel(veteranId)
              if (status === "unknown") return yield* new NotFound()
              if (status === "begun") return yield* new Conflict({ message: begun })
              if (status === "cancelled") yield* noteAct(sql, "deletion_cancelled", veteranId)
            }))
          )
        }
      })
    })
  )
}

const begun = "The deletion has begun, and cannot be undone."
