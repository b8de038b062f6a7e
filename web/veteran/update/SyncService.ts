import { Data, Effect, Option, Predicate } from "effect"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientRequest } from "effect/http"
import type { Failure } from "../../shared/record/Messages.ts"
import type { Presence } from "./Presence.ts"
import type { ServiceAccess } from "./ServiceAccess.ts"
import type { StoredTypes } from "./TypesLeft.ts"

/** The service could not go on, even after what could be repeated was repeated. */
export class ServiceFailed extends Data.TaggedError("ServiceFailed")<{ readonly failure: Failure }> {}

export interface SyncAnswer {
  readonly manifest: StoredTypes
  readonly results: Readonly<Record<string, { readonly skipped: number }>>
}

/** How the service took a body. `required` are types that it wants whole. */
export type SyncOutcome =
  | { readonly is: "stored"; readonly answer: SyncAnswer }
  | { readonly is: "required"; readonly types: ReadonlyArray<string> }
  | { readonly is: "refused" }

/** Seconds before the same request is sent again if there was no answer: 3 times over a minute. */
const pauses = [5, 15, 40]

/** Minutes after which a request without an answer is given up. */
const patience = 5

interface Answer {
  readonly status: number
  readonly retryAfter: number | undefined
  readonly body: unknown
}

const unreachable: Answer = { status: 0, retryAfter: undefined, body: { error: "unreachable" } }

const failureOf = ({ body, status }: Answer): Failure =>
  Predicate.hasProperty(body, "error") && typeof body.error === "string"
    ? { ...body, status, error: body.error }
    : { status, error: "unreachable" }

/** No answer, a part of one, or one after which the same request may succeed. */
const isPassing = ({ body, status }: Answer) =>
  status === 0 || status === 408 || status >= 500 || status === 200 && !Predicate.isObject(body)

/** Sends once. A connection that fails counts as an answer without a status. */
const send = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.gen(function*() {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const { headers, json, status } = yield* client.execute(request)
    const retryAfter = Number(headers["retry-after"])
    return {
      status,
      retryAfter: Number.isFinite(retryAfter) && headers["retry-after"] !== undefined ? retryAfter : undefined,
      body: yield* Effect.orElseSucceed(json, () => undefined)
    } satisfies Answer
  }).pipe(
    Effect.scoped,
    Effect.timeoutOption(`${patience} minutes`),
    Effect.map(Option.getOrElse(() => unreachable)),
    Effect.orElseSucceed(() => unreachable),
    Effect.provideService(FetchHttpClient.RequestInit, { cache: "no-store", credentials: "omit", redirect: "error" }),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
  )

/** The two requests that an update makes to the service. */
export const syncService = (api: string, access: ServiceAccess, presence: Presence) => {
  /** Repeats what may succeed later: no answer, a limit, and a token that ended. */
  const exchange = Effect.fnUntraced(function*(request: HttpClientRequest.HttpClientRequest) {
    let unanswered = 0
    let isRenewed = false
    for (;;) {
      const authorization = yield* access.authorization
      const wasAway = presence.watch()
      const answer = yield* send(HttpClientRequest.setHeader(request, "authorization", authorization))
      if (answer.status === 429) yield* Effect.sleep(`${Math.max(1, answer.retryAfter ?? 10)} seconds`)
      else if (isPassing(answer)) {
        const pause = pauses[unanswered]
        if (pause === undefined) return yield* new ServiceFailed({ failure: failureOf(answer) })
        // A device that was away is no reason to give up earlier.
        if (wasAway()) yield* presence.back
        else unanswered++
        yield* Effect.sleep(`${Math.max(pause, answer.retryAfter ?? 0)} seconds`)
      } else if (answer.status === 401 && !isRenewed) {
        isRenewed = true
        access.expire()
      } else return answer
    }
  })

  const manifest = Effect.gen(function*() {
    const answer = yield* exchange(HttpClientRequest.get(`${api}/api/veteran/me/health-record/manifest`))
    if (answer.status !== 200) return yield* new ServiceFailed({ failure: failureOf(answer) })
    return answer.body as StoredTypes
  })

  /** Sends the same bytes until the service answers. */
  const sync = Effect.fnUntraced(function*(body: Blob) {
    const answer = yield* exchange(
      HttpClientRequest.post(`${api}/api/veteran/me/health-record/sync`).pipe(
        HttpClientRequest.setHeader("content-encoding", "gzip"),
        HttpClientRequest.setBody(HttpBody.raw(body, { contentType: "application/json" }))
      )
    )
    const failure = failureOf(answer)
    if (answer.status === 200) return { is: "stored", answer: answer.body as SyncAnswer } satisfies SyncOutcome
    if (answer.status === 409 && failure.error === "sync_required") {
      const { resourceTypes } = answer.body as { readonly resourceTypes: ReadonlyArray<string> }
      return { is: "required", types: resourceTypes } satisfies SyncOutcome
    }
    if (answer.status === 400 || answer.status === 413 || failure.error === "conflict") {
      return { is: "refused" } satisfies SyncOutcome
    }
    return yield* new ServiceFailed({ failure })
  })

  return { manifest, sync }
}
