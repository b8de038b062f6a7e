import { emailChangeLimits } from "../../domain/EmailChange.ts"
import type { NoticeFacts } from "../../domain/Notices.ts"
import { codeLetter, letter } from "./Letter.ts"
import { inGroups } from "./LinkMails.ts"

/** The mail with the code that confirms a new address. */
export const emailCode = (to: string, code: string, host: string) =>
  codeLetter(
    to,
    (words) => words.email_code({ code: inGroups(code), minutes: emailChangeLimits.codeSeconds / 60, host })
  )

/** Tells the veteran that all of their data left the service. This mail cannot be switched off. */
export const exportNotice = (to: string, byOperator: boolean, at: Date) =>
  letter(to, "A copy of all your data was made", (words) => words.export_made({ at, byOperator }))

const subjects: Readonly<Record<NoticeFacts["about"], string>> = {
  look: "Somebody looked at your record",
  ending: "One of your shares ends soon",
  stale: "Your record was not updated for a while",
  day: "What happened with your record"
}

/** Tells what the veteran wants to be told. It names nobody, and nothing of the record. */
export const noticeMail = (to: string, facts: NoticeFacts) =>
  letter(to, subjects[facts.about], (words) => words.notice(facts), (words) => words.noticed(facts))
