import { letter } from "./Letter.ts"
import { nameInMail } from "./NamesInMails.ts"

const subjects = {
  app_connected: "An app was connected to your record",
  app_replayed: "An app was disconnected from your record"
} as const

/** Notifies the veteran of a change of an app's access. It names the app, but neither the veteran nor the record. */
export const appNotice = (to: string, kind: keyof typeof subjects, app: string, at: Date) =>
  letter(to, subjects[kind], (words) => words[kind]({ app: nameInMail(app), at }))
