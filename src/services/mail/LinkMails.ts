import { linkLimits } from "../../domain/SecureLink.ts"
import { codeLetter, letter } from "./Letter.ts"
import { nameInMail } from "./NamesInMails.ts"

/** The recipient of a link, as the veteran entered them. */
interface Recipient {
  readonly name: string
  readonly email: string
}

export const invitation = (recipient: Recipient, { until, url }: { readonly url: string; readonly until: Date }) =>
  letter(
    recipient.email,
    "A document was shared with you",
    (words) => words.invitation({ name: nameInMail(recipient.name), host: new URL(url).host, url, until })
  )

export const oneTimeCode = (recipient: Recipient, { code, isForApps, portalUrl }: {
  readonly code: string
  readonly isForApps: boolean
  readonly portalUrl: string
}) =>
  codeLetter(recipient.email, (words) =>
    words.linkCode({
      name: nameInMail(recipient.name),
      code: inGroups(code),
      isForApps,
      minutes: linkLimits.codeSeconds / 60,
      site: new URL(portalUrl).origin,
      host: new URL(portalUrl).host
    }))

/** Shows eight digits in two groups, which people copy with fewer mistakes. */
export const inGroups = (code: string) => `${code.slice(0, 4)} ${code.slice(4)}`

const subjects = {
  link_opened: "A link of yours was opened",
  link_viewed: "Your document was viewed",
  link_locked: "A link of yours was locked"
} as const

/** Tells the veteran what happened to a link, and to which one. */
export const notice = (to: string, kind: keyof typeof subjects, hint: string, at: Date) =>
  letter(to, subjects[kind], (words) => words[kind]({ hint, at }))
