import { createHash } from "node:crypto"
import { frameStyle } from "./FrameStyle.ts"

/** Headers for the development server, the tests and the nginx configuration in docs/operator.md. */

const frameStyleHash = `'sha256-${createHash("sha256").update(frameStyle).digest("base64")}'`

/** Rules of every page: no script made from text (CSP Level 3, Trusted Types), no form, no other base. */
const common = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${frameStyleHash}`,
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types app"
]

/**
 * No origin but this one and the API. The Trusted Types policy `app` creates worker URLs and the content of sandboxed
 * frames. Those frames inherit this policy, which has no `frame-src`, so that they cannot navigate. A hash allows their
 * only style.
 */
const ofPage = (api: string) => [
  ...common,
  `connect-src 'self' ${api}`,
  "worker-src 'self'",
  "frame-ancestors 'none'"
]

/** The link's page has one frame, which can show only pages of this origin. */
const ofLink = (api: string) => [...ofPage(api), "frame-src 'self'"]

/**
 * The frame that shows what a link opens. Its origin is opaque, so it has no cookie and no storage, and it connects to
 * nothing. It starts its threads from blobs, because no address is of its origin.
 */
const ofFrame = [...common, "worker-src blob:", "frame-ancestors 'self'", "sandbox allow-scripts"]

/** Files whose content security policy differs from that of all others. */
const policies: Readonly<Record<string, (api: string) => ReadonlyArray<string>>> = {
  "/link.html": ofLink,
  "/frame.html": () => ofFrame
}

/** Headers of a file of the portal. `https` adds HSTS. */
export const portalHeaders = (api: string, https: boolean, file = "/") =>
  headers((Object.hasOwn(policies, file) ? policies[file]! : ofPage)(api), https, file)

/** Headers of a file of the veteran's app, which connects to these origins: the API and the VA's. */
export const appHeaders = (origins: ReadonlyArray<string>, https: boolean, file = "/") =>
  headers([...ofPage(origins.join(" ")), "manifest-src 'self'"], https, file)

const headers = (policy: ReadonlyArray<string>, https: boolean, file: string): Readonly<Record<string, string>> => ({
  "content-security-policy": policy.join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  ...(https ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
  ...(isAsset(file) ? { "access-control-allow-origin": "*" } : {})
})

/** The frame's origin is opaque, so it may load these files only if everybody may. Nothing in them is secret. */
const isAsset = (path: string) => path.startsWith("/assets/")

/** Files under `/assets/` may be cached for ever, because their names change with their content. */
export const cacheControl = (path: string) => isAsset(path) ? "public, max-age=31536000, immutable" : "no-store"

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
  json: "application/json",
  webmanifest: "application/manifest+json"
}
