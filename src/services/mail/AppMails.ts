import { minuteOf } from "../platform/Instants.ts"
import { mail } from "./LinkMails.ts"

const revoke =
  "You can end an app's access at any time in the app of your record, on the Consent tab. That takes effect at once; " +
  "what an app has read before, it may keep."

const moments = {
  app_connected: [
    "An app was connected to your record",
    (app: string) => `You let the app "${app}" read your health record.`,
    `If this was not you, or you have changed your mind, end its access. ${revoke}`
  ],
  app_replayed: [
    "An app was disconnected from your record",
    (app: string) =>
      `The access of the app "${app}" to your health record was ended, because what opens it was used a second time.`,
    `Somebody may have copied it. Your account of disclosures tells what was read. If you still want the app, connect it again. ${revoke}`
  ]
} as const

/** It tells the veteran what became of an app's access. It names the app, and nothing of the veteran or the record. */
export const appNotice = (to: string, kind: keyof typeof moments, appName: string, moment: Date) => {
  const [subject, what, then] = moments[kind]
  return mail(to, subject, `${what(appName)} (${minuteOf(moment)})`, then)
}
