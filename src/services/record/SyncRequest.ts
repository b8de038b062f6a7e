import { Effect, Result, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import { InvalidJson, InvalidRequest } from "../../domain/Errors.ts"
import { HealthRecordSyncRequest } from "../../domain/HealthRecord.ts"
import { type FetchStatus, ResourceType } from "../../domain/Manifest.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { cutElements, maximumDepth, type Slice } from "./JsonCut.ts"
import { classify } from "./SensitiveCodes.ts"

/** A request whose envelope fits; its resources are not read yet. */
export interface SyncRequest {
  readonly bytes: Uint8Array
  readonly statuses: ReadonlyMap<string, FetchStatus>
  readonly slices: ReadonlyArray<Slice>
  /** By type, the slices that are its resources. */
  readonly resources: ReadonlyMap<string, { readonly first: number; readonly count: number }>
}

/** A resource of the request, and what `recognise` said of it. */
export interface SentResource<Known> {
  readonly fhirId: string
  readonly known: Known | undefined
}

/** A resource that is not stored with the same bytes: where its text is, and what has to be known of it. */
export interface NewResource extends Slice {
  readonly resourceType: string
  readonly fhirId: string
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
}

/** What surrounds the resources, of which each list stands as the index of its first and their count. */
const Envelope = Schema.Struct({
  fhirResourceFetchStatuses: HealthRecordSyncRequest.fields.fhirResourceFetchStatuses,
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Int)))
})

const decodeEnvelope = Schema.decodeUnknownResult(Envelope, { onExcessProperty: "error", errors: "all" })

const fhirId = /^[A-Za-z0-9\-.]{1,64}$/

const mostIssues = 50

/** Read before other requests get their turn. */
const turnBytes = 512 * 1024

const turnItems = 250

type Issue = InvalidRequest["issues"][number]

/** Checks a sync request but for its resources. */
export const parse = Effect.fnUntraced(
  function*(bytes: Uint8Array): Effect.fn.Return<SyncRequest, InvalidJson | InvalidRequest> {
    if (!isUtf8(bytes)) return yield* new InvalidJson()
    const cutting = cutElements(bytes, "resources")
    let cut = cutting.next()
    for (; !cut.done; cut = cutting.next()) yield* Effect.yieldNow
    const { outer, slices } = cut.value
    const parsed = parseJson(outer)
    if (parsed === undefined) return yield* new InvalidJson()
    const envelope = decodeEnvelope(parsed.value)
    const lists = Result.isFailure(envelope) ? [] : Object.entries(envelope.success.resources ?? {})
    const resources = new Map(lists.map(([resourceType, [first = 0, count = 0]]) => [resourceType, { first, count }]))
    const counted = resources.values().reduce((sum, { count }) => sum + count, 0)
    if (Result.isSuccess(envelope) && counted === slices.length) {
      return { bytes, statuses: new Map(Object.entries(envelope.success.fhirResourceFetchStatuses)), slices, resources }
    }
    // The envelope stands for the body only if the slices are JSON too: malformed JSON comes before a bad schema.
    let read = 0
    for (const slice of slices) {
      if (parseJson(textOf(bytes, slice)) === undefined) return yield* new InvalidJson()
      read += slice.end - slice.start
      if (read < turnBytes) continue
      read = 0
      yield* Effect.yieldNow
    }
    if (Result.isFailure(envelope)) return yield* InvalidRequest.of(envelope.failure)
    // JSON.parse keeps the last of two members with one name; resources would vanish without a word.
    return yield* InvalidRequest.at(["resources"], "Expected each member once")
  }
)

/**
 * Reads and checks the resources. One that `recognise` knows is stored with the same bytes: it was checked then, and is
 * neither parsed nor classified again. The others go to `take` batch by batch, as long as nothing is wrong, so that the
 * database has work meanwhile: whoever takes them takes them back when this fails.
 */
export const readResources = Effect.fnUntraced(function*<Known extends { readonly fhirId: string }, E, R>(
  { bytes, resources, slices, statuses }: SyncRequest,
  recognise: (resourceType: string, slice: Slice) => Known | undefined,
  take: (batch: ReadonlyArray<NewResource>) => Effect.Effect<void, E, R>
): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<SentResource<Known>>>, E | InvalidJson | InvalidRequest, R> {
  const issues: Array<Issue> = []
  const refuse = (path: Issue["path"], message: string) => {
    if (issues.length < mostIssues) issues.push({ path, message })
  }
  const sent = new Map<string, Array<SentResource<Known>>>()
  let batch: Array<NewResource> = []
  let read = 0
  const endTurn = () => {
    const taking = issues.length === 0 && batch.length > 0 ? take(batch) : Effect.void
    batch = []
    read = 0
    return Effect.andThen(taking, Effect.yieldNow)
  }
  for (const [resourceType, { count, first }] of resources) {
    const status = statuses.get(resourceType)
    if (status === undefined) {
      refuse(["resources", resourceType], "Expected only types named in fhirResourceFetchStatuses")
    } else if (count > 0 && (status === "empty" || status === "unavailable")) {
      refuse(["resources", resourceType], `Expected no resources with the status '${status}'`)
    }
    const ids = new Set<string>()
    const ofType: Array<SentResource<Known>> = []
    sent.set(resourceType, ofType)
    for (let index = 0; index < count; index++) {
      const slice = slices[first + index]!
      const known = recognise(resourceType, slice)
      const resource = known ?? readResource(bytes, slice, resourceType)
      if (resource === undefined) return yield* new InvalidJson()
      const problem = typeof resource === "string" ? resource : ids.has(resource.fhirId) ? duplicate : undefined
      if (typeof resource === "string" || problem !== undefined) {
        refuse(["resources", resourceType, index], problem!)
      } else {
        ids.add(resource.fhirId)
        ofType.push({ fhirId: resource.fhirId, known })
        if ("sensitiveCategories" in resource) batch.push(resource)
      }
      read += slice.end - slice.start
      if (read > turnBytes || batch.length === turnItems) yield* endTurn()
    }
  }
  yield* endTurn()
  return issues.length > 0 ? yield* new InvalidRequest({ issues }) : sent
})

const duplicate = "Expected an id that is unique within its type"

/** What has to be known of a resource, or what is wrong with it; undefined where it is no JSON. */
const readResource = (bytes: Uint8Array, slice: Slice, resourceType: string): NewResource | string | undefined => {
  const text = textOf(bytes, slice)
  const parsed = parseJson(text)
  if (parsed === undefined) return undefined
  const { value } = parsed
  return problemOf(value, resourceType, text) ??
    // The resources lie within three levels of the request.
    (slice.depth + 3 > maximumDepth ? tooDeep : undefined) ??
    { ...slice, resourceType, fhirId: (value as { readonly id: string }).id, sensitiveCategories: classify(value) }
}

const textOf = (bytes: Uint8Array, { end, start }: Slice) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

const tooDeep = `Expected at most ${maximumDepth} levels of nesting`

const problemOf = (value: unknown, resourceType: string, text: string): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Expected a FHIR resource"
  const { id, resourceType: type } = value as { readonly resourceType?: unknown; readonly id?: unknown }
  if (type !== resourceType) return "Expected the resourceType of its key"
  if (typeof id !== "string" || !fhirId.test(id)) return "Expected a FHIR id (1 to 64 of A-Z a-z 0-9 - .)"
  // Escapes are rare, and alone can make what PostgreSQL and UTF-8 cannot hold.
  return text.includes("\\u") && unstorable.test(JSON.stringify(value))
    ? "Expected text without NUL and lone surrogates"
    : undefined
}

/** As `JSON.stringify` writes them: it escapes a surrogate only when it stands alone. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
