import { consentTab } from "../../domain/ConsentTab.ts"
import { minuteOf } from "../platform/Instants.ts"
import { mail } from "./LinkMails.ts"

const revoke = `You can end an app's access at any time, on ${consentTab}. That takes effect at once. ` +
  "The app may keep what it has read before."

const moments = {
  app_connected: [
    "An app was connected to your record",
    (app: string) => `You let the app "${app}" read your health record.`,
    `If this was not you, or you have changed your mind, end its access. ${revoke}`
  ],
  app_replayed: [
    "An app was disconnected from your record",
    (app: string) =>
      `We ended the access of the app "${app}" to your health record, because its key was used a second time.`,
    `Somebody may have copied the key. Your account of disclosures shows what was read. If you still want the app, connect it again. ${revoke}`
  ]
} as const

/** Notifies the veteran of a change of an app's access. The mail names the app, but not the veteran or the record. */
export const appNotice = (to: string, kind: keyof typeof moments, appName: string, moment: Date) => {
  const [subject, event, advice] = moments[kind]
  return mail(to, subject, `${event(appName)} (${minuteOf(moment)})`, advice)
}
