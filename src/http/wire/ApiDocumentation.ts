import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { constants, gzip as gzipAsync, zstdCompress } from "node:zlib"
import { isOutage } from "../../services/platform/Outage.ts"
import { laterTurn } from "../../services/platform/Pace.ts"
import { RateLimits } from "../../services/platform/RateLimits.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { Api } from "../Api.ts"
import { acceptedCoding } from "./Accept.ts"
import { clientAddress } from "./ClientAddress.ts"
import { documentForPage, finishDocument } from "./OpenApiDocument.ts"

const documentPath = "/api/openapi.json"

const pagePath = "/api/docs"

const limit = { permits: 60, seconds: 60, leased: true }

/** The page's scripts are inline, and no other runs. The page makes styles, and loads nothing from other origins. */
const policyOf = (page: string) =>
  `default-src 'none'; script-src ${scriptsIn(page).map(hashOf).join(" ")}; ` +
  "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

const scriptsIn = (page: string) =>
  page.split("</script>").slice(0, -1).map((part) => part.slice(part.indexOf(tag) + tag.length))

const tag = "<script>"

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`

interface Fixed {
  readonly bytes: Uint8Array
  readonly headers: Record<string, string>
}

/** Serves the OpenAPI document and, unless `API_DOCS` turns it off, the page that shows it. */
export const ApiDocumentation = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { apiDocs, trustedProxyHops } = yield* Settings
  const limits = yield* RateLimits

  const spend = (path: string, request: HttpServerRequest.HttpServerRequest) =>
    limits.spend(`GET ${path}`, clientAddress(request, trustedProxyHops), limit)

  const add = Effect.fnUntraced(function*(
    path: typeof documentPath | typeof pagePath,
    render: Effect.Effect<Fixed>
  ) {
    const fixed = yield* Effect.cached(Effect.flatMap(render, fixedAnswers))
    yield* router.add(
      "GET",
      path,
      (request) =>
        // The limit is counted in the database. During an outage, these public answers are served without a limit.
        Effect.catchCauseIf(spend(path, request), isOutage, () => Effect.void).pipe(
          // Many concurrent requests must not block the event loop: other requests run in between.
          Effect.andThen(laterTurn),
          Effect.andThen(fixed),
          Effect.map((answers) => answers[acceptedCoding(request) ?? "identity"](request)),
          Effect.catchTag("RateLimited", ({ error, message, retryAfterSeconds }) =>
            Effect.succeed(HttpServerResponse.jsonUnsafe({ error, message, retryAfterSeconds }, { status: 429 })))
        )
    )
  })

  const document = Effect.sync(() => ({
    bytes: Buffer.from(JSON.stringify(OpenApi.fromApi(finished(finishDocument)))),
    headers: { "content-type": "application/json" }
  }))
  yield* add(documentPath, document)
  if (apiDocs) yield* add(pagePath, page)
}))

const finished = (finish: typeof finishDocument) => Api.annotate(OpenApi.Transform, finish)

/** The library's page, with the language that it lacks. It is encoded once, and not again for every answer. */
const page = Effect.gen(function*() {
  const pages = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(finished(documentForPage), {
    path: pagePath,
    // The default fonts would be loaded from another origin.
    scalar: { withDefaultFonts: false }
  }))
  const request = HttpServerRequest.fromWeb(new Request(`http://localhost${pagePath}`))
  const { body } = yield* Effect.provideService(pages, HttpServerRequest.HttpServerRequest, request)
  const text = body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""
  if (!text.includes("\n<html>\n")) return yield* Effect.die(new Error("the page does not begin as expected"))
  return {
    bytes: Buffer.from(text.replace("\n<html>\n", "\n<html lang=\"en-US\">\n")),
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policyOf(text) }
  }
}).pipe(Effect.orDie, Effect.scoped)

/** Compresses each answer once for all requests, at the highest levels that take no longer than making the page. */
const fixedAnswers = Effect.fnUntraced(function*({ bytes, headers }: Fixed) {
  const [zstd, gzip] = yield* Effect.promise(() =>
    Promise.all([
      promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }),
      promisify(gzipAsync)(bytes, { level: 9 })
    ])
  )
  return {
    identity: fixedAnswer(bytes, headers),
    zstd: fixedAnswer(zstd, { ...headers, "content-encoding": "zstd" }),
    gzip: fixedAnswer(gzip, { ...headers, "content-encoding": "gzip" })
  }
})

/** All answers share one buffer: a raw body is not copied, so a slow reader holds only a reference to it. */
const fixedAnswer = (bytes: Uint8Array, headers: Record<string, string>) => {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`
  const all = { ...headers, etag, "cache-control": "no-cache", "vary": "Accept-Encoding" }
  const whole = HttpServerResponse.raw(bytes, { headers: all, contentLength: bytes.length })
  const unchanged = HttpServerResponse.empty({ status: 304, headers: all })
  // Tags are compared weakly (RFC 9110, 13.1.2), because a proxy that compresses makes our tag a weak one.
  return ({ headers }: HttpServerRequest.HttpServerRequest) =>
    headers["if-none-match"]?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ? unchanged : whole
}
