import { linkLimits } from "../../domain/SecureLink.ts"
import { minuteOf } from "../platform/Instants.ts"
import { html } from "./Html.ts"
import type { Mail } from "./Mailer.ts"

/**
 * These are the mails around secure links. None holds a name of the veteran or anything of the record, and no subject
 * holds a code (specification, "What the service does" 4): mail is read on lock screens and kept by whoever carries it.
 */
export const mail = (to: string, subject: string, ...paragraphs: ReadonlyArray<string>): Mail => ({
  to,
  subject,
  text: `${paragraphs.join("\n\n")}\n`,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html`${subject}`}</title></head><body>` +
    `${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`).join("")}</body></html>`
})

/** It brings the recipient the link itself. */
export const invitation = (to: string, url: string) =>
  mail(
    to,
    "A document was shared with you",
    "Someone shared a document with you. Open this address to read it:",
    url,
    "It is for you alone: before it shows, a one-time code is sent to this mailbox. Do not pass this mail on."
  )

/** It brings the recipient a code; `code` has eight digits. */
export const oneTimeCode = (to: string, code: string) =>
  mail(
    to,
    "Your one-time code",
    `Your code is ${code.slice(0, 4)} ${code.slice(4)}`,
    `Enter it where you asked for it. It is good for ${
      linkLimits.codeSeconds / 60
    } minutes and one use. Tell it to nobody.`,
    "If you did not ask for a code, you can leave this mail be: without the code nobody sees the document."
  )

const moments = {
  link_opened: ["A link of yours was opened", "A secure link that you created was opened for the first time."],
  link_viewed: ["Your document was viewed", "The recipient of a secure link that you created has viewed the document."],
  link_locked: [
    "A link of yours was locked",
    "A secure link that you created was disabled after too many wrong codes. Create a new one if the recipient still needs it."
  ]
} as const

/** It tells the veteran what became of a link. */
export const notice = (to: string, kind: keyof typeof moments, moment: Date) =>
  mail(
    to,
    moments[kind][0],
    `${moments[kind][1]} (${minuteOf(moment)})`,
    "If this was not expected, revoke the link in the app, on the Consent tab. That takes effect at once."
  )
