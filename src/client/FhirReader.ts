import { Context, Data, Effect, Layer, Option, type Redacted, Result } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import type { FetchStatus } from "../domain/SyncState.ts"
import { parseSearchPage, type SearchPage } from "./FhirBundle.ts"
import { ofOthers, patientsTold } from "./NamedPatient.ts"

/** A patient on a FHIR R4 server. */
export interface FhirSource {
  /** The service base URL, for example `https://sandbox-api.va.gov/services/fhir/v0/r4`. */
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly patientId: string
  /** Other ids by which the server's resources name the same patient. */
  readonly otherIds?: ReadonlyArray<string> | undefined
}

/** How the fetch of a type ended, and what arrived: each resource is its exact JSON text as received. */
export interface FetchedType {
  readonly resourceType: string
  readonly status: FetchStatus
  readonly resources: ReadonlyArray<string>
}

/**
 * What a watcher is told; it holds no health data. `resources` counts what the type has so far. `reason` says why the
 * status is `partial` or `unavailable`, and what was left out.
 */
export type ReadProgress = Data.TaggedEnum<{
  Page: { readonly resourceType: string; readonly page: number; readonly resources: number }
  Waiting: { readonly resourceType: string; readonly page: number; readonly seconds: number }
  /** `reason` says why the status is `partial` or `unavailable`. */
  Done: {
    readonly resourceType: string
    readonly status: FetchStatus
    readonly resources: number
    readonly reason: string | undefined
  }
}>

export const ReadProgress = Data.taggedEnum<ReadProgress>()

export interface ReadOptions {
  /** Types that are read at the same time; 2 unless told. */
  readonly concurrency?: number | undefined
  /** A type ends as `partial` after so many pages; 10,000 unless told, a million resources. */
  readonly maxPages?: number | undefined
  readonly onProgress?: ((progress: ReadProgress) => Effect.Effect<void>) | undefined
}

/** Reads a patient's resources from the upstream FHIR server. It never fails: how a type ended is its status. */
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
        // A redirect leads where the base URL does not, perhaps to another origin: it counts as a failure.
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
        // The addresses name the patient, and spans go where health data may not.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
      )

      return FhirReader.of({ read })
    })
  )
}

const pageSize = 100

/** For the whole answer, its body included. */
const requestTimeoutSeconds = 30

/** The client waits 30 seconds after an upstream 429, and retries at most twice (specification, "Limits"). */
const rateLimitWaitSeconds = 30

const rateLimitRetries = 2

const readType = Effect.fnUntraced(function*(source: FhirSource, resourceType: string, options: ReadOptions) {
  const { maxPages = 10_000, onProgress = () => Effect.void } = options
  const first = firstPage(source, resourceType)
  // By id: of two entries with one id the last wins, and a sync takes each id once.
  const found = new Map<string, SearchPage["resources"][number]>()
  const gaps: Array<string> = []
  const seen = new Set<string>()
  let pages = 0
  let total = 0
  // Distinct: a row that shifts between two pages arrives twice, and another one never.
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
      gaps.push(`page ${place.page}: ${answer.failure.reason}`)
      break
    }
    pages++
    for (const resource of answer.success.resources) {
      const { id, match } = resource
      if (match && matches.has(id)) repeated++
      if (match) matches.add(id)
      found.set(id, resource)
    }
    // A record may change between two pages: no gap hides behind the largest total.
    total = Math.max(total, answer.success.total)
    leftOut += answer.success.leftOut
    yield* onProgress(ReadProgress.Page({ ...place, resources: found.size }))

    const link = answer.success.next
    if (link === undefined) {
      if (matches.size < total) gaps.push(`${matches.size} of ${total} arrived`)
      else if (repeated > 0 && total === 0) gaps.push(`${repeated} arrived twice, and the server tells no total`)
      break
    }
    const target = URL.parse(link, url)
    if (target?.origin !== first.origin) gaps.push("the next page is on another origin")
    else if (seen.has(target.href)) gaps.push("the next page was read before")
    else if (pages >= maxPages) gaps.push(`more than ${maxPages} pages`)
    else next = target
  }

  // Entries that no sync can take (see `parseSearchPage`): `complete` would say that the type has nothing else.
  if (leftOut > 0) gaps.push(`${leftOut} entries cannot be synchronised`)
  const ours = new Set([source.patientId, ...source.otherIds ?? []])
  const others = ofOthers([...found.values()], ours)
  for (const { id } of others) found.delete(id)
  const resources = Array.from(found.values(), ({ text }) => text)
  const status = statusOf({ pages, gaps: gaps.length, resources: resources.length })
  const told = [...gaps, ...patientsTold([...found.values()], ours, others.length)]
  const reason = told.length > 0 ? told.join("; ") : undefined
  yield* onProgress(ReadProgress.Done({ resourceType, status, resources: resources.length, reason }))
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

/** A page that did not arrive. The reason tells neither address nor body: either may hold health data. */
class PageFailed extends Data.TaggedError("PageFailed")<{ readonly reason: string }> {}

const getPage = Effect.fnUntraced(
  function*({ token }: FhirSource, url: URL, resourceType: string, waiting: Effect.Effect<void>) {
    // The address as text: taken apart and put together again, a server's own link could change its spelling.
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
    if (answer.body === undefined) return yield* new PageFailed({ reason: `HTTP status ${answer.status}` })
    const page = Option.flatMap(decodeUtf8(answer.body), (text) => parseSearchPage(text, resourceType))
    return Option.isSome(page) ? page.value : yield* new PageFailed({ reason: "the answer is no FHIR search page" })
  }
)

/** The status, and the body of a 200. What is left of another body ends with the scope. */
const send = Effect.fnUntraced(
  function*(request: HttpClientRequest.HttpClientRequest) {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const { arrayBuffer, status } = yield* client.execute(request)
    return { status, body: status === 200 ? yield* arrayBuffer : undefined }
  },
  Effect.scoped,
  Effect.mapError(() => new PageFailed({ reason: "the connection failed" })),
  Effect.timeoutOrElse({
    duration: `${requestTimeoutSeconds} seconds`,
    orElse: () => Effect.fail(new PageFailed({ reason: `no whole answer within ${requestTimeoutSeconds} seconds` }))
  })
)

/** Strict: a replacement character would change a resource without a word. */
const decodeUtf8 = Option.liftThrowable((bytes: ArrayBuffer) => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
