import { Context, Effect, Layer } from "effect"
import { type InvalidRequest, type NotFound, orNotFound } from "../../../domain/Errors.ts"
import type { PageRequest } from "../../../domain/Page.ts"
import type { SignupPage } from "../../../domain/WaitlistSignup.ts"
import * as WaitlistRepository from "../../../sql/account/WaitlistRepository.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { newId } from "../../platform/Ids.ts"
import { noteAct } from "../../platform/NotedActs.ts"
import { Paging } from "../../platform/Paging.ts"

export class Waitlist extends Context.Service<Waitlist, {
  /** Succeeds for a known e-mail too. The outbox mails each new e-mail address to the administrator. */
  readonly join: (email: string) => Effect.Effect<void>
  readonly list: (page: PageRequest) => Effect.Effect<typeof SignupPage.Type, InvalidRequest>
  readonly remove: (id: string) => Effect.Effect<void, NotFound>
}>()("vrss/services/account/veteran/Waitlist") {
  static readonly layer = Layer.effect(
    Waitlist,
    Effect.gen(function*() {
      const paging = yield* Paging
      const signups = WaitlistRepository.make(yield* SharedConnections)
      const sql = yield* OwnConnections
      const own = WaitlistRepository.make(sql)

      const remove = Effect.fn("Waitlist.remove")((id: string) =>
        atEdge(sql.withTransaction(Effect.gen(function*() {
          yield* orNotFound(own.remove(id))
          yield* noteAct(sql, "waitlist_signup_removed", id)
        })))
      )

      return Waitlist.of({
        join: Effect.fn("Waitlist.join")((email) => Effect.asVoid(signups.insert({ id: newId(), email }))),
        list: (request) => paging.byId("waitlist", request, signups.list),
        remove
      })
    })
  )
}
