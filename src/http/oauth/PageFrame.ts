import { HttpServerResponse } from "effect/http"
import { html } from "../../services/mail/Html.ts"
import { pageStyle, pageStyleHash } from "./PageStyle.ts"

/** What a page holds is put together out of pieces that `html` has made, so that whatever came from outside is escaped. */
export interface Page {
  readonly status: number
  /** It is read first, and told apart in a list of tabs. */
  readonly title: string
  readonly main: string
  /** Where its forms may lead besides the service itself. */
  readonly formTarget?: string | undefined
  /** Seconds to wait. */
  readonly retryAfter?: number
}

/**
 * `form-action` is asked again for the redirect that answers a form (CSP Level 3, 6.4.2), so it names the app's own address: its origin,
 * or its scheme. No source expression can be made of an IPv6 address (CSP Level 3, 2.3.1), nor of a host with marks of its own.
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

const name = "Veteran Records"

/** No script, and nothing that is loaded: the page is whole as it comes. */
const documentOf = ({ main, title }: Page) =>
  "<!doctype html><html lang=\"en-US\"><head><meta charset=\"utf-8\">" +
  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">" +
  "<meta name=\"robots\" content=\"noindex\">" +
  html`<title>${title} - ${name}</title>` +
  `<style>${pageStyle}</style></head><body>` +
  html`<header class="bar"><p>${name}</p></header>` +
  `<main>${main}</main><footer>This is not a VA website.</footer></body></html>`

export const answerOf = (page: Page): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(documentOf(page), {
    status: page.status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": contentSecurityPolicy(page.formTarget),
      ...(page.retryAfter === undefined ? {} : { "retry-after": `${page.retryAfter}` })
    }
  })
