import { Context, Effect, Metric, Option, References, Tracer } from "effect"
import { type HttpBody, HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { IncomingMessage } from "node:http"
import { idAt } from "../services/platform/Ids.ts"
import { beginDatabaseTime } from "../services/platform/Outage.ts"
import { Settings } from "../services/platform/Settings.ts"
import { allowedMethods } from "./AllowedMethods.ts"
import { ClientCrowd } from "./ClientCrowd.ts"
import { Compression } from "./Compression.ts"
import { corsHeaders } from "./Cors.ts"
import { errorAnswer } from "./ErrorBodies.ts"
import { HeldAnswers } from "./HeldAnswers.ts"
import { incomingOf } from "./Http1.ts"
import { RequestLog } from "./RequestLog.ts"
import { durations } from "./RequestMetrics.ts"

/**
 * Every answer passes here on its way out, the framework's own errors included, and gets the one error body, the security
 * headers, a request id, its metric and its log line.
 */
export const Responses = HttpRouter.middleware(
  Effect.gen(function*() {
    const { apiDocs, portalOrigins, production } = yield* Settings
    const cors = corsHeaders(portalOrigins)
    const log = yield* RequestLog
    const answers = yield* HeldAnswers
    const compression = yield* Compression
    const crowd = yield* ClientCrowd
    return Effect.fnUntraced(function*(app) {
      const started = performance.now()
      const requestId = idAt(Date.now())
      yield* HttpEffect.appendPreResponseHandler(Effect.fnUntraced(function*(request, response) {
        const matched = Context.getOption(yield* Effect.context<never>(), HttpRouter.RouteContext)
        const route = Option.match(matched, { onNone: () => "unmatched", onSome: ({ route }) => route.path })
        const allowed = Option.isSome(matched) ? [] : allowedMethods(request.url, apiDocs)
        const { hold, response: admitted } = answers.admit(request, response)
        const complete = yield* compression.compress(
          `${Option.match(matched, { onNone: () => "", onSome: ({ route }) => route.method })} ${route}`,
          request,
          withErrorBody(request, admitted, requestId, allowed),
          hold
        )
        // A file and the documentation have headers of their own.
        const headers = {
          ...securityHeaders(production),
          ...complete.headers,
          ...cors(request, complete),
          "x-request-id": requestId
        }
        const answer = HttpServerResponse.setHeaders(complete, headers)
        const line = {
          route,
          method: request.method,
          status: answer.status,
          ms: performance.now() - started,
          requestId,
          traceId: yield* traceId
        }
        log.write(line)
        yield* Metric.update(durations(line), line.ms / 1000)
        return answer
      }))
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!crowd.enter(request)) return tooManyAtOnce
      if (request.method === "OPTIONS") return HttpServerResponse.empty()
      yield* beginDatabaseTime
      yield* annotateLogs(requestId)
      return yield* Effect.tapCause(app, (cause) => Effect.sync(() => log.writeDefects(requestId, cause)))
    })
  }),
  { global: true }
)

/**
 * Whatever is logged because of this request has its id. It stays until the request is over: the handler above reads in the
 * same context which route was matched.
 */
const annotateLogs = (requestId: string) =>
  Effect.withFiber((fiber) => {
    fiber.setContext(Context.add(fiber.context, References.CurrentLogAnnotations, { requestId }))
    return Effect.void
  })

/** Without a collector there is no trace that anybody could look up. */
const traceId = Effect.withFiber(({ cache: { span, tracer } }) =>
  Effect.succeed(
    tracer === undefined || tracer === Tracer.nativeTracer || span?.sampled !== true ? undefined : span.traceId
  )
)

const tooManyAtOnce = HttpServerResponse.jsonUnsafe({
  error: "rate_limited",
  message: "Too many requests at once: wait for the answers of those under way.",
  retryAfterSeconds: 1
}, { status: 429 })

/** The framework's own answers name no code: they get these. */
const defaults: Record<number, readonly [code: string, message: string]> = {
  400: ["invalid_request", "The request could not be understood."],
  404: ["not_found", "There is no such route."],
  405: ["method_not_allowed", "This route does not take this method: see the 'allow' header."],
  413: ["payload_too_large", "The request body is larger than this route takes."],
  415: ["unsupported_media_type", "This route does not take this content type."],
  503: ["service_unavailable", "The service cannot reach something it needs. Try again in a moment."]
}

const defect = ["internal_error", "Something went wrong on our side. It is logged with this request id."] as const

const withErrorBody = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse,
  requestId: string,
  allowed: ReadonlyArray<string>
): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400) return response
  const otherMethods = allowed.length > 0 && !allowed.includes(request.method)
  const status = response.status === 404 && otherMethods ? 405 : response.status
  const [error, message] = defaults[status] ?? defect
  const told = { error, message, ...jsonOf(response.body), requestId }
  const retryAfter = told.retryAfterSeconds ?? (status === 503 ? 1 : undefined)
  const { body, headers } = errorAnswer(request.url, { status, response, told })
  return HttpServerResponse.setBody(response, body).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeaders({
      ...headers,
      ...(retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` }),
      ...(status === 405 ? { allow: allowed.join(", ") } : {}),
      // The rest of the body is not read, so that the connection cannot be used again.
      ...(endsConnection(status, incomingOf(request)) ? { connection: "close" } : {})
    })
  )
}

/** A body of which a part was read, and the rest is not, ends its connection in any case: a client is told not to use it again. */
const endsConnection = (status: number, { complete, readableDidRead }: IncomingMessage) =>
  [408, 413, 415].includes(status) || (!complete && (status === 503 || readableDidRead))

const jsonOf = (body: HttpBody.HttpBody): { readonly retryAfterSeconds?: number } =>
  body._tag === "Uint8Array" && body.contentType.startsWith("application/json")
    ? JSON.parse(Buffer.from(body.body).toString())
    : {}

export const securityHeaders = (production: boolean) => ({
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-site",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  ...(production ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {})
})
