import { Context, Effect, Layer, Schema } from "effect"
import { Statements } from "../sql/Statements.ts"
import * as WaitlistRepository from "../sql/WaitlistRepository.ts"
import type { InvalidRequest } from "./ApiError.ts"
import { newId } from "./Ids.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { EmailAddress, Instant } from "./Text.ts"

export const NewSignup = Schema.Struct({ email: EmailAddress }).annotate({ identifier: "NewWaitlistSignup" })
export const Signup = Schema.Struct({ id: Schema.String, email: Schema.String, createdAt: Instant })
  .annotate({ identifier: "WaitlistSignup" })
export const SignupPage = PageOf(Signup)

export class Waitlist extends Context.Service<Waitlist, {
  /** The same for a known e-mail; the administrator is told of new ones, by the outbox. */
  readonly join: (email: string) => Effect.Effect<void>
  readonly list: (page: PageRequest) => Effect.Effect<typeof SignupPage.Type, InvalidRequest>
}>()("vrss/Waitlist") {
  static readonly layer = Layer.effect(
    Waitlist,
    Effect.gen(function*() {
      const paging = yield* Paging
      const signups = WaitlistRepository.make(yield* Statements)
      return Waitlist.of({
        join: Effect.fn("Waitlist.join")((email) => Effect.asVoid(signups.insert({ id: newId(), email }))),
        list: (request) => paging.byId("waitlist", request, signups.list)
      })
    })
  )
}
