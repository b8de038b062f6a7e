import { Cause, Effect, type Pull, Result, Schema, Stream } from "effect"
import { isUtf8 } from "node:buffer"
import { InvalidJson, InvalidRequest } from "../../domain/Errors.ts"
import { HealthRecordSyncRequest } from "../../domain/HealthRecord.ts"
import { ResourceType } from "../../domain/Manifest.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import type { FetchStatus } from "../../domain/SyncState.ts"
import { cutElements, maximumDepth, type Slice } from "./JsonCut.ts"
import { classify } from "./SensitiveCodes.ts"

/** A request whose envelope fits; its resources are not read yet. */
export interface SyncRequest {
  readonly bytes: Uint8Array
  readonly statuses: ReadonlyMap<string, FetchStatus>
  readonly slices: ReadonlyArray<Slice>
  /** Says for each type which slices are its resources. */
  readonly resources: ReadonlyMap<string, { readonly first: number; readonly count: number }>
}

/** A resource of the request, and what `recognise` said of it. */
export interface SentResource<Known> {
  readonly resourceType: string
  readonly fhirId: string
  readonly known: Known | undefined
}

/**
 * A resource that is not stored with the same bytes yet: this says where its text is, and what has to be known of it.
 */
export interface NewResource extends Slice {
  readonly resourceType: string
  readonly fhirId: string
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  /** How many of its codings have a system that nobody here knows. */
  readonly unknownSystems: number
}

/** Holds what was read in one turn. */
export interface Batch<Known> {
  readonly sent: ReadonlyArray<SentResource<Known>>
  /** These are those of them that `recognise` did not know. */
  readonly fresh: ReadonlyArray<NewResource>
}

/** Describes what surrounds the resources; of each list it holds the index of the first and their number. */
const Envelope = Schema.Struct({
  fhirResourceFetchStatuses: HealthRecordSyncRequest.fields.fhirResourceFetchStatuses,
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Int)))
})

const decodeEnvelope = Schema.decodeUnknownResult(Envelope, { onExcessProperty: "error", errors: "all" })

const fhirId = /^[A-Za-z0-9\-.]{1,64}$/

const mostIssues = 50

/** So many bytes or new resources are read before other requests get their turn. */
const turnBytes = 512 * 1024

const turnItems = 250

type Issue = InvalidRequest["issues"][number]

/** Checks everything of a sync request except its resources. */
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
 * Reads and checks the resources, turn by turn. One that `recognise` knows is stored with the same bytes: it was
 * checked then, and is neither parsed nor classified again. Batches come before the last resource is checked, so that
 * the database has work meanwhile: whoever stores them takes them back when the stream fails.
 */
export const readResources = <Known extends { readonly fhirId: string }>(
  request: SyncRequest,
  recognise: (resourceType: string, slice: Slice) => Known | undefined
): Stream.Stream<Batch<Known>, InvalidJson | InvalidRequest> =>
  Stream.fromPull(Effect.sync(() => {
    const turns = readInTurns(request, recognise)
    const next = (): Pull.Pull<readonly [Batch<Known>], InvalidJson | InvalidRequest> => {
      const turn = turns.next()
      if (!turn.done) return Effect.succeed([turn.value])
      return turn.value === undefined ? Cause.done() : Effect.fail(turn.value)
    }
    return Effect.flatMap(Effect.yieldNow, next)
  }))

/**
 * Returns what is wrong with the resources, if anything is. After the first that is wrong no batch has any to store.
 */
function* readInTurns<Known extends { readonly fhirId: string }>(
  { bytes, resources, slices, statuses }: SyncRequest,
  recognise: (resourceType: string, slice: Slice) => Known | undefined
): Generator<Batch<Known>, InvalidJson | InvalidRequest | undefined> {
  const issues: Array<Issue> = []
  const refuse = (path: Issue["path"], message: string) => {
    if (issues.length < mostIssues) issues.push({ path, message })
  }
  let sent: Array<SentResource<Known>> = []
  let fresh: Array<NewResource> = []
  let read = 0
  const endTurn = (): Batch<Known> => {
    const batch = { sent, fresh: issues.length === 0 ? fresh : [] }
    sent = []
    fresh = []
    read = 0
    return batch
  }
  for (const [resourceType, { count, first }] of resources) {
    const status = statuses.get(resourceType)
    if (status === undefined) {
      refuse(["resources", resourceType], "Expected only types named in fhirResourceFetchStatuses")
    } else if (count > 0 && (status === "empty" || status === "unavailable")) {
      refuse(["resources", resourceType], `Expected no resources with the status '${status}'`)
    }
    const ids = new Set<string>()
    for (let index = 0; index < count; index++) {
      const slice = slices[first + index]!
      const known = recognise(resourceType, slice)
      const resource = known ?? readResource(bytes, slice, resourceType)
      if (resource === undefined) return new InvalidJson()
      const problem = typeof resource === "string" ? resource : ids.has(resource.fhirId) ? duplicate : undefined
      if (typeof resource === "string" || problem !== undefined) {
        refuse(["resources", resourceType, index], problem!)
      } else {
        ids.add(resource.fhirId)
        sent.push({ resourceType, fhirId: resource.fhirId, known })
        if ("sensitiveCategories" in resource) fresh.push(resource)
      }
      read += slice.end - slice.start
      if (read > turnBytes || fresh.length === turnItems) yield endTurn()
    }
  }
  yield endTurn()
  return issues.length > 0 ? new InvalidRequest({ issues }) : undefined
}

const duplicate = "Expected an id that is unique within its type"

/** Answers what has to be known of a resource, or what is wrong with it; undefined means that it is no JSON. */
const readResource = (bytes: Uint8Array, slice: Slice, resourceType: string): NewResource | string | undefined => {
  const text = textOf(bytes, slice)
  const parsed = parseJson(text)
  if (parsed === undefined) return undefined
  const { value } = parsed
  const problem = problemOf(value, resourceType, text) ??
    // The resources lie within three levels of the request.
    (slice.depth + 3 > maximumDepth ? tooDeep : undefined)
  if (problem !== undefined) return problem
  const tally = { unknownSystems: 0 }
  const sensitiveCategories = classify(value, tally)
  return { ...slice, ...tally, resourceType, fhirId: (value as { readonly id: string }).id, sensitiveCategories }
}

const textOf = (bytes: Uint8Array, { end, start }: Slice) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

const tooDeep = `Expected at most ${maximumDepth} levels of nesting`

const problemOf = (value: unknown, resourceType: string, text: string): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Expected a FHIR resource"
  const { id, resourceType: type } = value as { readonly resourceType?: unknown; readonly id?: unknown }
  if (type !== resourceType) return "Expected the resourceType of its key"
  if (typeof id !== "string" || !fhirId.test(id)) return "Expected a FHIR id (1 to 64 of A-Z a-z 0-9 - .)"
  // Only escapes, which are rare, can make what PostgreSQL and UTF-8 cannot hold.
  return text.includes("\\u") && unstorable.test(JSON.stringify(value))
    ? "Expected text without NUL and lone surrogates"
    : undefined
}

/** Finds them as `JSON.stringify` writes them: it escapes a surrogate only when it stands alone. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
