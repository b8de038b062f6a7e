import { Context, Data, Effect, Layer, Option, type Redacted, Result, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import type { FetchStatus } from "../domain/SyncState.ts"
import { parseSearchPage, type SearchPage } from "./FhirBundle.ts"
import { ofOthers, patientNotices } from "./NamedPatient.ts"

export interface FhirSource {
  /** The service base URL, for example `https://sandbox-api.va.gov/services/fhir/v0/r4`. */
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly patientId: string
  /** Other ids by which the server's resources name the same patient. */
  readonly otherIds?: ReadonlyArray<string> | undefined
}

/** How the fetch of a type ended, and the exact JSON text of each resource received. */
export interface FetchedType {
  readonly resourceType: string
  readonly status: FetchStatus
  readonly resources: ReadonlyArray<string>
}

/**
 * Why a type is not complete. `unauthorized` is a 401, `limited` a 429, `refused` any other status. `lacking` means
 * that the server ended the pages too early; `unkept` means that it sent entries that cannot be synchronised.
 */
export type GapCause =
  | "unauthorized"
  | "limited"
  | "refused"
  | "unreachable"
  | "slow"
  | "unreadable"
  | "lacking"
  | "large"
  | "unkept"

/** Progress of a fetch, without health data. `resources` is the number received so far for the type. */
export type ReadProgress = Data.TaggedEnum<{
  Page: { readonly resourceType: string; readonly page: number; readonly resources: number }
  Waiting: { readonly resourceType: string; readonly page: number; readonly seconds: number }
  /** `reason` says why the status is `partial` or `unavailable`, and what was left out. */
  Done: {
    readonly resourceType: string
    readonly status: FetchStatus
    readonly resources: number
    readonly reason: string | undefined
    /** Missing unless the status is `partial` or `unavailable`. */
    readonly cause?: GapCause
  }
}>

export const ReadProgress = Data.taggedEnum<ReadProgress>()

export interface ReadOptions {
  /** Number of types read at the same time; by default 2. */
  readonly concurrency?: number | undefined
  /** After this many pages a type ends as `partial`; by default 10,000, which is a million resources. */
  readonly maxPages?: number | undefined
  /** After this many characters of resources a type ends as `partial`; by default there is no limit. */
  readonly maxCharacters?: number | undefined
  readonly onProgress?: ((progress: ReadProgress) => Effect.Effect<void>) | undefined
}

/** Reads a patient's resources from the upstream FHIR server. It never fails; each type's status shows how it ended. */
export class FhirReader extends Context.Service<FhirReader, {
  readonly read: (
    source: FhirSource,
    resourceTypes: ReadonlyArray<string>,
    options?: ReadOptions
  ) => Effect.Effect<ReadonlyArray<FetchedType>>
}>()("vrss/client/FhirReader") {
  static readonly layer = Layer.effect(
    FhirReader,
    Effect.gen(function*() {
      const client = yield* HttpClient.HttpClient

      const read = Effect.fn("FhirReader.read")(
        (source: FhirSource, resourceTypes: ReadonlyArray<string>, options: ReadOptions = {}) =>
          Effect.forEach(resourceTypes, (resourceType) => readType(source, resourceType, options), {
            concurrency: options.concurrency ?? 2
          }),
        Effect.provideService(HttpClient.HttpClient, client),
        // A redirect counts as a failure, because it may lead to another origin, which must not get the token.
        // An answer must not stay on a browser's disk.
        Effect.provideService(FetchHttpClient.RequestInit, {
          redirect: "manual",
          cache: "no-store",
          credentials: "omit",
          referrerPolicy: "no-referrer"
        }),
        // URLs contain the patient's id, and traces must contain no health data.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
      )

      return FhirReader.of({ read })
    })
  )
}

const pageSize = 100

/** A larger page is given up. No more of it is kept in memory, even if the server sends without an end. */
const maxPageMiB = 32

/** Time limit of one request, until the last byte of the response body. */
const requestTimeoutSeconds = 30

/** The client waits 30 seconds after an upstream 429, and retries at most twice (specification, "Limits"). */
const rateLimitWaitSeconds = 30

const rateLimitRetries = 2

const readType = Effect.fnUntraced(function*(source: FhirSource, resourceType: string, options: ReadOptions) {
  const { maxCharacters = Infinity, maxPages = 10_000, onProgress = () => Effect.void } = options
  const first = firstPage(source, resourceType)
  // The last of several entries with the same id wins, because a sync takes each id once.
  const resourcesById = new Map<string, SearchPage["resources"][number]>()
  const gaps: Array<PageFailed> = []
  const miss = (cause: GapCause, reason: string) => void gaps.push(new PageFailed({ cause, reason }))
  const seen = new Set<string>()
  let pages = 0
  let characters = 0
  let total = 0
  // Distinct ids, because a count could hide a gap: if rows shift between pages, one arrives twice and another never.
  const matches = new Set<string>()
  let repeated = 0
  let leftOut = 0

  for (let next: URL | undefined = first; next !== undefined;) {
    const url: URL = next
    next = undefined
    seen.add(url.href)
    const place = { resourceType, page: pages + 1 }
    const waiting = onProgress(ReadProgress.Waiting({ ...place, seconds: rateLimitWaitSeconds }))
    const answer = yield* Effect.result(getPage(source, url, resourceType, waiting))
    if (Result.isFailure(answer)) {
      miss(answer.failure.cause, `page ${place.page}: ${answer.failure.reason}`)
      break
    }
    pages++
    for (const resource of answer.success.resources) {
      const { id, match } = resource
      if (match && matches.has(id)) repeated++
      if (match) matches.add(id)
      resourcesById.set(id, resource)
      characters += resource.text.length
    }
    // The total may change between two pages. The largest one is kept, so that a gap is never hidden.
    total = Math.max(total, answer.success.total)
    leftOut += answer.success.leftOut
    yield* onProgress(ReadProgress.Page({ ...place, resources: resourcesById.size }))

    const link = answer.success.next
    if (link === undefined) {
      if (matches.size < total) miss("lacking", `${matches.size} of ${total} arrived`)
      else if (repeated > 0 && total === 0) miss("lacking", `${repeated} arrived twice, and the server tells no total`)
      break
    }
    const target = URL.parse(link, url)
    if (target?.origin !== first.origin) miss("lacking", "the next page is on another origin")
    else if (seen.has(target.href)) miss("lacking", "the next page was read before")
    else if (pages >= maxPages) miss("large", `more than ${maxPages} pages`)
    else if (characters > maxCharacters) miss("large", `more than ${maxCharacters} characters`)
    else next = target
  }

  // If entries are left out, the type must not end as `complete`, which would mean that there are no other entries.
  if (leftOut > 0) miss("unkept", `${leftOut} entries cannot be synchronised`)
  const ours = new Set([source.patientId, ...source.otherIds ?? []])
  const others = ofOthers([...resourcesById.values()], ours)
  for (const { id } of others) resourcesById.delete(id)
  const resources = Array.from(resourcesById.values(), ({ text }) => text)
  const status = statusOf({ pages, gaps: gaps.length, resources: resources.length })
  const reasons = [...gaps.map(({ reason }) => reason),
    ...patientNotices([...resourcesById.values()], ours, others.length)]
  const reason = reasons.length > 0 ? reasons.join("; ") : undefined
  const [gap] = gaps
  const ended = { resourceType, status, resources: resources.length, reason, ...(gap && { cause: gap.cause }) }
  yield* onProgress(ReadProgress.Done(ended))
  return { resourceType, status, resources } satisfies FetchedType
})

const statusOf = (read: Record<"pages" | "gaps" | "resources", number>): FetchStatus => {
  if (read.gaps > 0) return read.pages === 0 ? "unavailable" : "partial"
  return read.resources === 0 ? "empty" : "complete"
}

const firstPage = ({ baseUrl, patientId }: FhirSource, resourceType: string) => {
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, "")}/${encodeURIComponent(resourceType)}`)
  url.searchParams.set("patient", patientId)
  url.searchParams.set("_count", `${pageSize}`)
  return url
}

/** A part of a type did not arrive. The reason includes neither URL nor body, because both may contain health data. */
class PageFailed extends Data.TaggedError("PageFailed")<{ readonly cause: GapCause; readonly reason: string }> {}

const getPage = Effect.fnUntraced(
  function*({ token }: FhirSource, url: URL, resourceType: string, waiting: Effect.Effect<void>) {
    // A string: Effect would rebuild a URL object, which could change the spelling of the server's link.
    const request = HttpClientRequest.get(url.href).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.accept("application/fhir+json, application/json;q=0.9")
    )
    let answer = yield* send(request)
    for (let retry = 0; answer.status === 429 && retry < rateLimitRetries; retry++) {
      yield* waiting
      yield* Effect.sleep(`${rateLimitWaitSeconds} seconds`)
      answer = yield* send(request)
    }
    const { body, status } = answer
    if (body === undefined) {
      const cause = status === 401 ? "unauthorized" : status === 429 ? "limited" : "refused"
      return yield* new PageFailed({ cause, reason: `HTTP status ${status}` })
    }
    const page = parseSearchPage(body, resourceType)
    if (Option.isSome(page)) return page.value
    return yield* new PageFailed({ cause: "unreadable", reason: "the answer is no FHIR search page" })
  }
)

/** Returns the status, and the body of a 200. Closing the scope discards any other body. */
const send = Effect.fnUntraced(
  function*(request: HttpClientRequest.HttpClientRequest) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const { status, stream } = yield* client.execute(request)
    return { status, body: status === 200 ? yield* bytesOf(stream) : undefined }
  },
  Effect.scoped,
  Effect.catchTag(
    "HttpClientError",
    () => Effect.fail(new PageFailed({ cause: "unreachable", reason: "the connection failed" }))
  ),
  Effect.timeoutOrElse({
    duration: `${requestTimeoutSeconds} seconds`,
    orElse: () =>
      Effect.fail(
        new PageFailed({ cause: "slow", reason: `no whole answer within ${requestTimeoutSeconds} seconds` })
      )
  })
)

const bytesOf = Effect.fnUntraced(function*<E>(stream: Stream.Stream<Uint8Array, E>) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(stream, (chunk) => {
    size += chunk.length
    if (size > maxPageMiB * 1024 * 1024) {
      return Effect.fail(new PageFailed({ cause: "large", reason: `the answer is larger than ${maxPageMiB} MiB` }))
    }
    chunks.push(chunk)
    return Effect.void
  })
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
})
