import { type InEachLanguage, languages } from "../../domain/Language.ts"
import { type Html, html } from "../platform/Html.ts"
import type { Mail } from "./Mailer.ts"
import type { Paragraph } from "./MailFacts.ts"
import { english, type MailWords } from "./MailWords.en.ts"
import { spanish } from "./MailWords.es.ts"

const catalogues: InEachLanguage<MailWords> = { en: english, es: spanish }

/**
 * Writes a mail in English, then in Spanish. Nobody knows the recipient's language when a mail is made. The veteran
 * types only a name and an address, and a notice waits in the outbox without a page. Subjects are in English, so that
 * people find mails again by them.
 */
export const letter = (
  to: string,
  subject: string,
  paragraphs: (words: MailWords) => ReadonlyArray<Paragraph>,
  tells: Mail["tells"] = (words) => paragraphs(words).slice(0, 1)
): Mail => {
  const [first, ...others] = languages.map((language) => ({ language, paragraphs: paragraphs(catalogues[language]) }))
  const parts = [
    ...others.map(({ language }) => ({ language, paragraphs: [catalogues[language].below] })),
    first!,
    ...others
  ]
  return {
    to,
    subject,
    text: `${parts.map(({ paragraphs }) => paragraphs.map(textOf).join("\n\n")).join("\n\n")}\n`,
    html: documentOf(
      subject,
      parts.map(({ language, paragraphs }) => html`<div lang="${language}">${paragraphs.map(htmlOf)}</div>`)
    ),
    tells
  }
}

/** Writes a mail with a code. The code is never in the subject, because lock screens show subjects. */
export const codeLetter = (to: string, paragraphs: (words: MailWords) => ReadonlyArray<Paragraph>): Mail =>
  letter(to, "Your one-time code", paragraphs)

const textOf = (paragraph: Paragraph) =>
  typeof paragraph === "string"
    ? paragraph
    : "link" in paragraph
    ? paragraph.link
    : `${paragraph.words} ${paragraph.code}`

const htmlOf = (paragraph: Paragraph) =>
  typeof paragraph === "string"
    ? html`<p>${paragraph}</p>`
    : "link" in paragraph
    ? html`<p><a href="${paragraph.link}">${paragraph.link}</a></p>`
    : html`<p>${paragraph.words} <b class="code">${paragraph.code}</b></p>`

/** The mail names no color, so that mail programs show it in light and dark mode as their reader likes. */
const documentOf = (subject: string, parts: ReadonlyArray<Html>) =>
  html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${subject}</title><style>
:root { color-scheme: light dark; }
body { max-width: 36rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
div + div { border-top: 1px solid; margin-top: 1.5rem; padding-top: 0.5rem; }
.code { display: block; font-size: 2rem; letter-spacing: 0.125em; }
</style></head><body>${parts}</body></html>`
