import { Context } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiMiddleware, type HttpApiSecurity } from "effect/http-api"
import { Api } from "../Api.ts"
import { AnyOrigin, PortalCookie } from "../contract/Authorization.ts"
import { BodyLimit } from "../contract/RequestLimits.ts"
import { varyBy } from "./Accept.ts"
import { pathPattern } from "./AllowedMethods.ts"

/** What a page may send to a route: nothing that the route does not take. */
interface PageRoute {
  readonly pattern: RegExp
  readonly method: string
  readonly headers: ReadonlyArray<string>
  /** True where the cookie means something. Elsewhere a page that sends it is not answered at all. */
  readonly credentials: boolean
  readonly anyOrigin: boolean
}

const pageRoutes: Array<PageRoute> = []

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations, middleware }) => {
    const schemes = [...middleware].filter(HttpApiMiddleware.isSecurity).flatMap(({ security }) =>
      Object.values<HttpApiSecurity.HttpApiSecurity>(security)
    )
    // Secrets of the operator and of servers: no page has one to send.
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
      anyOrigin: Context.get(mergedAnnotations, AnyOrigin)
    })
  }
})

/** Every request asks this: one pattern of these few paths takes 0.15 µs, those of all the contract's routes took 2.4. */
const anyOriginPath = new RegExp(
  ["^/api/fhir/R4/", ...pageRoutes.filter(({ anyOrigin }) => anyOrigin).map(({ pattern }) => pattern.source)].join("|")
)

/** A page reads these where they are: how long to wait, what to tell support, a file's name, its place, the next page. */
const readable = ["content-disposition", "content-range", "link"]

/** An app that runs in a browser may come from anywhere: it has its own token to show, and no cookie means anything (SMART, CORS). */
const forAnyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, last-modified, retry-after, www-authenticate, x-request-id"
}

/** The wildcard does not stand for `authorization` (Fetch standard, 4.9). */
const anyHeader = { "access-control-allow-headers": "authorization, *", "access-control-max-age": "600" }

const methodsOf = (there: ReadonlyArray<PageRoute>) => [...new Set(there.map(({ method }) => method))].join(", ")

/**
 * The headers by which a page of one of `origins` may call and read (Fetch standard, "CORS protocol"). They come from the
 * contract, so that a route has no more than it takes.
 */
export const corsHeaders = (origins: ReadonlyArray<string>) =>
(
  { headers, method, url }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Record<string, string> => {
  const path = url.split("?", 1)[0]!
  const routesThere = () => pageRoutes.filter(({ pattern }) => pattern.test(path))
  if (anyOriginPath.test(path)) {
    return {
      ...forAnyOrigin,
      ...(method === "OPTIONS" ? { ...anyHeader, "access-control-allow-methods": methodsOf(routesThere()) } : {})
    }
  }
  const vary = { vary: varyBy(response.headers["vary"], "Origin") }
  const origin = headers["origin"]
  if (origin === undefined || !origins.includes(origin)) return vary
  const there = routesThere()
  const asked = method === "OPTIONS" ? headers["access-control-request-method"] : method
  const route = there.find(({ method }) => method === (asked === "HEAD" ? "GET" : asked))
  const exposed = ["retry-after", "x-request-id", ...readable.filter((name) => name in response.headers)]
  return {
    ...vary,
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed.join(","),
    ...(route?.credentials === true ? { "access-control-allow-credentials": "true" } : {}),
    ...(method === "OPTIONS"
      ? {
        "access-control-allow-methods": methodsOf(there),
        "access-control-allow-headers": (route?.headers ?? []).join(","),
        "access-control-max-age": "600"
      }
      : {})
  }
}
