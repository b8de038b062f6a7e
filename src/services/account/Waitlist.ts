import { Context, Effect, Layer } from "effect"
import type { InvalidRequest } from "../../domain/Errors.ts"
import type { PageRequest } from "../../domain/Page.ts"
import type { SignupPage } from "../../domain/WaitlistSignup.ts"
import * as WaitlistRepository from "../../sql/account/WaitlistRepository.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"

export class Waitlist extends Context.Service<Waitlist, {
  /** Succeeds for a known e-mail too. The outbox mails each new e-mail address to the administrator. */
  readonly join: (email: string) => Effect.Effect<void>
  readonly list: (page: PageRequest) => Effect.Effect<typeof SignupPage.Type, InvalidRequest>
}>()("vrss/services/account/Waitlist") {
  static readonly layer = Layer.effect(
    Waitlist,
    Effect.gen(function*() {
      const paging = yield* Paging
      const signups = WaitlistRepository.make(yield* SharedConnections)
      return Waitlist.of({
        join: Effect.fn("Waitlist.join")((email) => Effect.asVoid(signups.insert({ id: newId(), email }))),
        list: (request) => paging.byId("waitlist", request, signups.list)
      })
    })
  )
}
