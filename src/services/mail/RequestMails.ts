import { appRequestLimits } from "../../domain/AppRequest.ts"
import { mail } from "./LinkMails.ts"

/** The mail with the code for an app's request. It names the app and nobody else. */
export const codeForApp = (to: string, appName: string, code: string) =>
  mail(
    to,
    "Your one-time code",
    `Your code is ${code.slice(0, 4)} ${code.slice(4)}`,
    `It is for the app "${appName}", which asks to read your health records. Enter it on the page where you asked for it. It is good for ${
      appRequestLimits.codeSeconds / 60
    } minutes and works once. Do not give it to anybody, not even to the makers of the app.`,
    "If you did not ask for a code, you can ignore this mail: without the code the app cannot read anything."
  )
