import { Effect } from "effect"
import { Conflict, NotFound } from "../../domain/Errors.ts"
import { LinkView } from "../../services/link/LinkView.ts"
import { Otp } from "../../services/link/Otp.ts"
import { SecureLinks } from "../../services/link/SecureLinks.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { releaseAnswer } from "../wire/FileAnswer.ts"
import { group } from "../wire/Group.ts"
import { viewReceiver } from "./ViewReceiver.ts"

/** A request that changes something is handled to its end, even if the client hangs up. */
const options = { uninterruptible: true }

export const SecureLinksHandlers = group(
  "secureLinks",
  Effect.fn(function*(handlers) {
    const links = yield* SecureLinks
    return handlers.handleAll({
      list: forVeteran((veteranId, { query }) => links.list(veteranId, query)),
      create: forVeteran((veteranId, { payload }) => links.create(veteranId, payload)),
      revoke: {
        handler: forVeteran((veteranId, { params }) => links.revoke(veteranId, params.linkId)),
        options
      },
      code: { handler: forVeteran(() => Effect.fail(new Conflict())), options }
    })
  })
)

export const LinkRecipientHandlers = group(
  "linkRecipient",
  Effect.fn(function*(handlers) {
    const links = yield* SecureLinks
    const otp = yield* Otp
    const view = yield* LinkView
    return handlers.handleAll({
      open: { handler: ({ payload }) => links.open(payload.token), options },
      challenge: { handler: ({ payload }) => otp.challenge(payload.token), options },
      verify: { handler: ({ payload }) => otp.verify(payload), options },
      view: ({ payload, request }) =>
        Effect.map(view.view(payload.viewSession, payload.offset, viewReceiver(request)), releaseAnswer),
      status: ({ payload }) => Effect.as(view.mayShow(payload.viewSession), { status: "active" as const })
    })
  })
)

export const SmartHealthLinksHandlers = group(
  "smartHealthLinks",
  Effect.fn(function*(handlers) {
    return handlers.handleAll({
      manifest: { handler: () => Effect.fail(new NotFound()), options },
      file: () => Effect.fail(new NotFound())
    })
  })
)
