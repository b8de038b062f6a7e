import { EmailChanges } from "../../services/account/veteran/EmailChanges.ts"
import { NoticeSettings } from "../../services/account/veteran/NoticeSettings.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { group, whole } from "../wire/Group.ts"

export const VeteranAccountHandlers = group("veteranAccount", function*(handlers) {
  const emails = yield* EmailChanges
  const notices = yield* NoticeSettings
  return handlers.handleAll({
    askEmail: whole(
      forVeteran((veteranId, { payload }, sessionId) => emails.ask(veteranId, sessionId, payload.email))
    ),
    verifyEmail: whole(forVeteran((veteranId, { payload }) => emails.verify(veteranId, payload))),
    notices: forVeteran(notices.read),
    setNotices: whole(forVeteran((veteranId, { payload }) => notices.write(veteranId, payload)))
  })
})
