import { Context, Effect, Layer, Option, Schema } from "effect"
import { Statements } from "../sql/Statements.ts"
import * as WaitlistRepository from "../sql/WaitlistRepository.ts"
import type { InvalidRequest } from "./ApiError.ts"
import { html } from "./Html.ts"
import { newId } from "./Ids.ts"
import { Mailer } from "./Mailer.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { Settings } from "./Settings.ts"
import { EmailAddress, Instant } from "./Text.ts"

export const NewSignup = Schema.Struct({ email: EmailAddress }).annotate({ identifier: "NewWaitlistSignup" })
export const Signup = Schema.Struct({ id: Schema.String, email: Schema.String, createdAt: Instant })
  .annotate({ identifier: "WaitlistSignup" })
export const SignupPage = PageOf(Signup)

export class Waitlist extends Context.Service<Waitlist, {
  /** The same for a known e-mail; the administrator is told of new ones. */
  readonly join: (email: string) => Effect.Effect<void>
  readonly list: (page: PageRequest) => Effect.Effect<typeof SignupPage.Type, InvalidRequest>
}>()("vrss/Waitlist") {
  static readonly layer = Layer.effect(
    Waitlist,
    Effect.gen(function*() {
      const { adminEmail } = yield* Settings
      const mailer = yield* Mailer
      const paging = yield* Paging
      const signups = WaitlistRepository.make(yield* Statements)
      const scope = yield* Effect.scope

      const tellAdministrator = (email: string) =>
        mailer.send({
          to: adminEmail,
          subject: "New waitlist signup",
          text: `${email} joined the waitlist.\n`,
          html: html`<!doctype html><title>New waitlist signup</title><p><b>${email}</b> joined the waitlist.</p>`
        }).pipe(Effect.catch((error) => Effect.logWarning(`waitlist: ${error.message}`)))

      return Waitlist.of({
        join: Effect.fn("Waitlist.join")(function*(email) {
          const added = yield* signups.insert({ id: newId(), email })
          // Apart from the request: its time would tell a known e-mail from a new one.
          if (Option.isSome(added)) yield* Effect.forkIn(tellAdministrator(email), scope)
          // Of a client that hangs up the administrator is told all the same.
        }, Effect.uninterruptible),
        list: (request) => paging.byId("waitlist", request, signups.list)
      })
    })
  )
}
