import { appRequestLimits } from "../../domain/AppRequest.ts"
import { mail } from "./LinkMails.ts"

/** It brings a code to whoever is asked by an app; `code` has eight digits. It names the app, and nobody else. */
export const codeForApp = (to: string, appName: string, code: string) =>
  mail(
    to,
    "Your one-time code",
    `Your code is ${code.slice(0, 4)} ${code.slice(4)}`,
    `It goes with the request of the app "${appName}" to read health records. Enter it where you asked for it. It is good for ${
      appRequestLimits.codeSeconds / 60
    } minutes and one use. Tell it to nobody, not even to the makers of the app.`,
    "If you did not ask for a code, you can leave this mail be: without the code the app reads nothing."
  )
