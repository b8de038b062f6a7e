import { appRequestLimits } from "../../domain/AppRequest.ts"
import { letter } from "./Letter.ts"
import { inGroups } from "./LinkMails.ts"

/** The mail with the code for an app's request. It names the app and nobody else. */
export const codeForApp = (to: string, app: string, { code, host }: { readonly code: string; readonly host: string }) =>
  letter(
    to,
    "Your one-time code",
    (words) => words.appCode({ app, code: inGroups(code), minutes: appRequestLimits.codeSeconds / 60, host })
  )
