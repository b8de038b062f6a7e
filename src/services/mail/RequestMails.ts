import { appRequestLimits } from "../../domain/AppRequest.ts"
import { codeLetter } from "./Letter.ts"
import { inGroups } from "./LinkMails.ts"
import { nameInMail } from "./NamesInMails.ts"

/** The mail with the code for an app's request. It names the app and nobody else. */
export const codeForApp = (to: string, app: string, { code, host }: { readonly code: string; readonly host: string }) =>
  codeLetter(
    to,
    (words) =>
      words.appCode({ app: nameInMail(app), code: inGroups(code), minutes: appRequestLimits.codeSeconds / 60, host })
  )
