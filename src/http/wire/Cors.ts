import { Context, SchemaAST } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, HttpApiMiddleware, type HttpApiSecurity } from "effect/http-api"
import { Api } from "../Api.ts"
import { AnyOrigin, PortalCookie } from "../contract/Authorization.ts"
import { BodyLimit } from "../contract/RequestLimits.ts"
import { varyBy } from "./Accept.ts"
import { pathPattern } from "./AllowedMethods.ts"

interface PageRoute {
  readonly pattern: RegExp
  readonly method: string
  readonly headers: ReadonlyArray<string>
  /** Whether the route uses the cookie. On other routes, browsers refuse answers to requests with credentials. */
  readonly credentials: boolean
  readonly anyOrigin: boolean
  /** Whether the request proves a device's key, which only the veteran's app has. */
  readonly proof: boolean
}

const takesHeader = ({ headers }: HttpApiEndpoint.Top, header: string) =>
  headers !== undefined && SchemaAST.isObjects(headers.ast) &&
  headers.ast.propertySignatures.some(({ name }) => name === header)

const pageRoutes: Array<PageRoute> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
    const schemes = [...middleware].filter(HttpApiMiddleware.isSecurity).flatMap(({ security }) =>
      Object.values<HttpApiSecurity.HttpApiSecurity>(security)
    )
    // No page may call a route that takes a secret of the operator or of a server.
    if (schemes.some((scheme) => scheme._tag === "ApiKey" && scheme.in === "header")) return
    pageRoutes.push({
      pattern: pathPattern(endpoint.path),
      method: endpoint.method,
      headers: [
        ...(schemes.some(({ _tag }) => _tag === "Http") ? ["authorization"] : []),
        ...(endpoint.payload.size > 0 ? ["content-type"] : []),
        ...(Context.get(mergedAnnotations, BodyLimit).encodings.length > 0 ? ["content-encoding"] : [])
      ],
      credentials: Context.get(mergedAnnotations, PortalCookie),
      anyOrigin: Context.get(mergedAnnotations, AnyOrigin),
      proof: takesHeader(endpoint, "dpop")
    })
  }
})

/** One pattern for all paths that any origin may call: a test takes 0.15 µs, or 2.4 µs with a pattern for each. */
const anyOriginPath = new RegExp(
  ["^/api/fhir/R4/", ...pageRoutes.filter(({ anyOrigin }) => anyOrigin).map(({ pattern }) => pattern.source)].join("|")
)

/** The paths of the veteran's app, whether or not there is such a route. The first ones are its sign-in's alone. */
const signInPath = /^\/api\/auth\/veteran\/app\//

const appPath = /^\/api\/(?:auth\/veteran\/app|veteran|proofs)\/|^\/api\/(?:waitlist|releases\/verify)$/

/** Headers that a page may read if the answer has them. */
const readable = ["content-disposition", "content-range", "link"]

/** Apps in browsers may have any origin: they send a token, and cookies are not used (SMART App Launch, CORS). */
const forAnyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, last-modified, retry-after, www-authenticate, x-request-id"
}

/** The wildcard does not include `authorization` (Fetch standard, 4.9). A SMART Health Link takes no such header. */
const anyHeader = (path: string) => ({
  "access-control-allow-headers": path.startsWith("/api/shl/") ? "content-type" : "authorization, *",
  "access-control-max-age": "600"
})

const methodsOf = (there: ReadonlyArray<PageRoute>) => [...new Set(there.map(({ method }) => method))].join(", ")

/** The origins of the portal's and the veteran's app's pages. */
interface Origins {
  readonly portal: ReadonlyArray<string>
  readonly app: ReadonlyArray<string>
}

/**
 * The headers that allow pages to call a route and read its answer (Fetch standard, "CORS protocol"). They come from
 * the contract, so that a route allows only what it takes. The portal's pages may not call the sign-in of the veteran's
 * app. The app's pages may call the veteran's routes and a few public ones, without credentials.
 */
export const corsHeaders = (origins: Origins) =>
(
  { headers, method, url }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Record<string, string> => {
  const path = url.split("?", 1)[0]!
  const routesThere = () => pageRoutes.filter(({ pattern }) => pattern.test(path))
  if (anyOriginPath.test(path)) {
    return {
      ...forAnyOrigin,
      ...(method === "OPTIONS" ? { ...anyHeader(path), "access-control-allow-methods": methodsOf(routesThere()) } : {})
    }
  }
  const vary = { vary: varyBy(response.headers["vary"], "Origin") }
  const origin = headers["origin"]
  if (origin === undefined) return vary
  const ofApp = origins.app.includes(origin) && appPath.test(path)
  const ofPortal = origins.portal.includes(origin) && !signInPath.test(path)
  if (!ofApp && !ofPortal) return vary
  const there = routesThere()
  const asked = method === "OPTIONS" ? headers["access-control-request-method"] : method
  const route = there.find(({ method }) => method === (asked === "HEAD" ? "GET" : asked))
  const exposed = ["retry-after", "x-request-id", ...readable.filter((name) => name in response.headers)]
  return {
    ...vary,
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed.join(","),
    ...(route?.credentials === true && ofPortal ? { "access-control-allow-credentials": "true" } : {}),
    ...(method === "OPTIONS"
      ? {
        "access-control-allow-methods": methodsOf(there),
        "access-control-allow-headers": [
          ...(route?.headers ?? []),
          ...(route?.proof === true && ofApp ? ["dpop"] : [])
        ].join(","),
        "access-control-max-age": "600"
      }
      : {})
  }
}
