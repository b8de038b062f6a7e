import { consentTab } from "../../domain/ConsentTab.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { html } from "../platform/Html.ts"
import { minuteOf } from "../platform/Instants.ts"
import type { Mail } from "./Mailer.ts"

/**
 * No mail names the veteran or contains anything of the record, and no subject contains a code (specification, "What
 * the service does" 4). Subjects show on lock screens, and mail servers keep mails.
 */
export const mail = (to: string, subject: string, ...paragraphs: ReadonlyArray<string>): Mail => ({
  to,
  subject,
  text: `${paragraphs.join("\n\n")}\n`,
  html: html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body>${
    paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)
  }</body></html>`
})

export const invitation = (to: string, url: string) =>
  mail(
    to,
    "A document was shared with you",
    "Someone shared a document with you. Open this address to read it:",
    url,
    "It is for you alone: before it opens, a one-time code is sent to this mailbox. Do not pass this mail on."
  )

export const oneTimeCode = (to: string, code: string) =>
  mail(
    to,
    "Your one-time code",
    `Your code is ${code.slice(0, 4)} ${code.slice(4)}`,
    `Enter it where you asked for it. It is good for ${
      linkLimits.codeSeconds / 60
    } minutes and works once. Do not give it to anybody.`,
    "If you did not ask for a code, you can ignore this mail: without the code nobody can see the document."
  )

const moments = {
  link_opened: ["A link of yours was opened", "A secure link that you created was opened for the first time."],
  link_viewed: ["Your document was viewed", "The recipient of a secure link that you created has viewed the document."],
  link_locked: [
    "A link of yours was locked",
    "A secure link that you created was disabled after too many wrong codes. Create a new one if the recipient still needs it."
  ]
} as const

export const notice = (to: string, kind: keyof typeof moments, moment: Date) =>
  mail(
    to,
    moments[kind][0],
    `${moments[kind][1]} (${minuteOf(moment)})`,
    `If you did not expect this, revoke the link on ${consentTab}. That takes effect at once.`
  )
