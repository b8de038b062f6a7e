import { createHash } from "node:crypto"
import { frameStyle } from "../../web/shared/FrameStyle.ts"

/**
 * The headers of the web pages, from one place for the development server, the tests and the lines for nginx in
 * docs/operator.md. `api` is the origin of the service.
 */

/**
 * Nothing is loaded from elsewhere and no text becomes script (CSP Level 3, Trusted Types). One policy named `app`
 * makes the addresses of workers and the content of sandboxed frames. Those frames inherit this policy, which lets
 * them go nowhere: there is no `frame-src`. Their one style is known by its hash.
 */
const contentSecurityPolicy = (api: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${createHash("sha256").update(frameStyle).digest("base64")}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${api}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types app"
  ].join("; ")

/** For every file. `https` adds HSTS. */
export const pageHeaders = (api: string, https: boolean): Readonly<Record<string, string>> => ({
  "content-security-policy": contentSecurityPolicy(api),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  ...(https ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {})
})

/** The names of files under `/assets/` change with their content. */
export const cacheControl = (path: string) =>
  path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-store"

/** Of each kind of file that the pages are made of, by its ending. */
export const mediaTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
  ttf: "font/ttf",
  wasm: "application/wasm",
  bcmap: "application/octet-stream",
  pfb: "application/octet-stream",
  icc: "application/octet-stream",
  json: "application/json"
}

/** Links name the pages without the ending of their files. */
export const pages: Readonly<Record<string, string>> = {
  "/": "/index.html",
  "/link": "/link.html",
  "/verify": "/verify.html"
}

/** Stands at any other address. */
export const missingPage = "/404.html"
