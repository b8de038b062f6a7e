import { deviceSessionLimits } from "../../domain/DeviceSession.ts"
import { codeLetter, letter } from "./Letter.ts"
import { inGroups } from "./LinkMails.ts"
import type { EmailChangedFacts } from "./MailFacts.ts"

const subjects = {
  new_device: "A new device signed in",
  identity_added: "An account was added",
  identity_removed: "An account was removed, and your devices were signed out",
  passkey_added: "A passkey was added",
  passkey_removed: "A passkey was removed",
  access_ended: "All access to your record was ended",
  deletion_cancelled: "Your record is not deleted",
  deletion_done: "Your record was deleted"
} as const

/** Tells the veteran that somebody signed in, or who may. These mails cannot be switched off. */
export const accountNotice = (to: string, kind: keyof typeof subjects, at: Date) =>
  letter(to, subjects[kind], (words) => words[kind]({ at }))

/** Tells the old and the new address that it was changed. Neither mail names the other address, nor has a link. */
export const emailChanged = (
  address: string,
  kind: "provider_email_changed" | "veteran_email_changed",
  facts: EmailChangedFacts
) => letter(address, "Your e-mail address was changed", (words) => words[kind](facts))

/** Tells the veteran that their record is deleted at `until`. */
export const deletionAsked = (to: string, at: Date, until: Date) =>
  letter(to, "Your record is about to be deleted", (words) => words.deletion_asked({ at, until }))

/** The mail with the code that pairs an account of the VA with the veteran. */
export const pairingCode = (to: string, code: string, host: string) =>
  codeLetter(
    to,
    (words) => words.pairing_code({ code: inGroups(code), minutes: deviceSessionLimits.pairingSeconds / 60, host })
  )
