import { HttpServerResponse } from "effect/http"
import { type Language, localeOf } from "../../domain/Language.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { type Html, html } from "../../services/platform/Html.ts"
import { pageStyle, pageStyleHash } from "./PageStyle.ts"
import { pageWords } from "./PageWords.ts"

export interface Page {
  readonly language: Language
  readonly status: number
  /** Screen readers read the title first, and people find the tab by it. */
  readonly title: string
  readonly main: Html
  /** Leads to the same page in the other language. */
  readonly otherLanguage?: Html | undefined
  /** The CSP source, besides the service itself, to which the page's forms may lead. */
  readonly formTarget?: string | undefined
  readonly retryAfter?: number | undefined
}

/**
 * `form-action` also applies to the redirect that answers a form (CSP Level 3, 6.4.2), so it names the app's origin or
 * scheme. CSP allows only letters, digits, hyphens and dots in a host (CSP Level 3, 2.3.1). For any other host, such
 * as an IPv6 address, `form-action` names only the scheme.
 */
export const formTargetOf = (redirectUri: string): string => {
  const { host, origin, protocol } = new URL(redirectUri)
  return (protocol === "https:" || protocol === "http:") && /^[a-z0-9.-]+(:\d+)?$/.test(host) ? origin : protocol
}

const contentSecurityPolicy = (formTarget: string | undefined) =>
  [
    "default-src 'none'",
    `style-src ${pageStyleHash}`,
    `form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** The page has no script and loads nothing. */
const documentOf = ({ language, main, otherLanguage, title }: Page) => {
  const { crisisLine, footer } = pageWords[language]
  return html`<!doctype html><html lang="${localeOf[language]}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><title>${title} - ${serviceName}</title><style>${pageStyle}</style></head><body>
<header class="bar"><p>${serviceName}</p>${otherLanguage}</header><main>${main}</main>
<footer><p><a href="tel:988">${crisisLine}</a></p><p>${footer}</p></footer></body></html>`
}

export const answerOf = (page: Page): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(`${documentOf(page)}`, {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(page.formTarget),
      ...(page.retryAfter === undefined ? {} : { "retry-after": `${page.retryAfter}` })
    }
  })
