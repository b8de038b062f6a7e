import { createHash } from "node:crypto"
import { frameStyle } from "./FrameStyle.ts"

/** Headers for the development server, the tests and the nginx configuration in docs/operator.md. */

/**
 * Allows no origin except this one and the API, and no script made from text (CSP Level 3, Trusted Types). The Trusted
 * Types policy `app` creates worker URLs and the content of sandboxed frames. Those frames inherit the whole
 * Content-Security-Policy. Without `frame-src` in it, they cannot navigate. Their only style is allowed by its hash.
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

/** Headers of every file. `https` adds HSTS. */
export const pageHeaders = (api: string, https: boolean): Readonly<Record<string, string>> => ({
  "content-security-policy": contentSecurityPolicy(api),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  ...(https ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {})
})

/** Files under `/assets/` may be cached for ever, because their names change with their content. */
export const cacheControl = (path: string) =>
  path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-store"

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

/** Maps the paths used in links to their files. */
export const pages: Readonly<Record<string, string>> = {
  "/": "/index.html",
  "/link": "/link.html",
  "/verify": "/verify.html"
}

/** Shown at any other address. */
export const missingPage = "/404.html"
