import { Effect } from "effect"
import { EmailChanges } from "../../services/account/EmailChanges.ts"
import { NoticeSettings } from "../../services/account/NoticeSettings.ts"
import { CurrentVeteran, forVeteran } from "../contract/Authorization.ts"
import { group } from "../wire/Group.ts"

/** A step is taken whole: a client that hangs up has spent its try all the same. */
const options = { uninterruptible: true }

export const VeteranAccountHandlers = group(
  "veteranAccount",
  Effect.fn(function*(handlers) {
    const emails = yield* EmailChanges
    const notices = yield* NoticeSettings
    return handlers.handleAll({
      askEmail: {
        handler: ({ payload }) =>
          Effect.flatMap(CurrentVeteran, ({ session, veteranId }) => emails.ask(veteranId, session.id, payload.email)),
        options
      },
      verifyEmail: { handler: forVeteran((veteranId, { payload }) => emails.verify(veteranId, payload)), options },
      notices: forVeteran(notices.read),
      setNotices: { handler: forVeteran((veteranId, { payload }) => notices.write(veteranId, payload)), options }
    })
  })
)
