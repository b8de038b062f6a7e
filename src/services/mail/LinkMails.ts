import { linkLimits } from "../../domain/SecureLink.ts"
import { letter } from "./Letter.ts"

/** The recipient of a link, as the veteran entered them. */
interface Recipient {
  readonly name: string
  readonly email: string
}

/** A long name, or one with an address in it, could make our own mail carry somebody else's message. */
const isName = (text: string) =>
  text.length <= 100 && !/[\p{C}\p{Zl}\p{Zp}:/@\\<>]|\.[\p{L}\p{N}]{2}|\bwww\b/iu.test(text)

const addressed = ({ name }: Recipient) => isName(name) ? name : undefined

export const invitation = (recipient: Recipient, { until, url }: { readonly url: string; readonly until: Date }) =>
  letter(
    recipient.email,
    "A document was shared with you",
    (words) => words.invitation({ name: addressed(recipient), host: new URL(url).host, url, until })
  )

/** The code is never in the subject: subjects show on lock screens, and mail servers keep mails. */
export const oneTimeCode = (recipient: Recipient, { code, isForApps, portalUrl }: {
  readonly code: string
  readonly isForApps: boolean
  readonly portalUrl: string
}) =>
  letter(recipient.email, "Your one-time code", (words) =>
    words.linkCode({
      name: addressed(recipient),
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
