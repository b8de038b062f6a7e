import { Result, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import { type Span, textOf } from "../../clinical/JsonSpans.ts"
import { InvalidJson, InvalidRequest } from "../../domain/Errors.ts"
import { HealthRecordSyncRequest } from "../../domain/HealthRecord.ts"
import { ResourceType } from "../../domain/Manifest.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import type { FetchStatus } from "../../domain/SyncState.ts"
import { cutElements, maximumDepth } from "./JsonCut.ts"
import { referencesOf, subjectsOf } from "./References.ts"
import { SearchedTexts } from "./SearchedTexts.ts"
import { classify } from "./SensitiveCodes.ts"

/** A request whose envelope is valid. Its resources are not read yet. */
export interface SyncRequest {
  readonly bytes: Uint8Array
  readonly statuses: ReadonlyMap<string, FetchStatus>
  readonly slices: ReadonlyArray<Span>
  readonly resources: ReadonlyMap<string, SlicesOfType>
  /** The digests of types that the client claims to be unchanged (TypeDigest.ts). */
  readonly unchanged: ReadonlyMap<string, string>
}

export interface SlicesOfType {
  readonly first: number
  readonly count: number
}

/** A resource of the request. `known` is what `recognise` returned for it (see `readResources`). */
export interface SentResource<Known> {
  readonly resourceType: string
  readonly fhirId: string
  readonly known: Known | undefined
  readonly index: number
}

/** A resource that is new, or whose bytes differ from the stored version. */
export interface NewResource extends Span {
  readonly resourceType: string
  readonly index: number
  readonly fhirId: string
  /** The categories of its content, without those of its references. */
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  readonly references: ReadonlySet<string>
  readonly unknownSystems: number
}

export interface Batch<Known> {
  readonly sent: ReadonlyArray<SentResource<Known>>
  /** The resources that `recognise` did not know. */
  readonly fresh: ReadonlyArray<NewResource>
}

/** The request without its resources. Each list of resources is replaced by the index of the first and their number. */
const Envelope = Schema.Struct({
  fhirResourceFetchStatuses: HealthRecordSyncRequest.fields.fhirResourceFetchStatuses,
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Int))),
  unchanged: HealthRecordSyncRequest.fields.unchanged
})

const decodeEnvelope = Schema.decodeUnknownResult(Envelope, { onExcessProperty: "error", errors: "all" })

const fhirId = /^[A-Za-z0-9\-.]{1,64}$/

const maxIssues = 50

/** A batch ends at about 512 KiB, or at 250 new resources. */
const batchBytes = 512 * 1024

const batchItems = 250

type Issue = InvalidRequest["issues"][number]

/**
 * Checks everything in a sync request except its resources.
 * @throws `InvalidJson`, `InvalidRequest` or `PayloadTooLarge`
 */
export const parse = (bytes: Uint8Array): SyncRequest => {
  if (!isUtf8(bytes)) throw new InvalidJson()
  const { outer, slices } = cutElements(bytes, "resources")
  const parsed = parseJson(outer)
  if (parsed === undefined) throw new InvalidJson()
  const envelope = decodeEnvelope(parsed.value)
  const lists = Result.isFailure(envelope) ? [] : Object.entries(envelope.success.resources ?? {})
  const resources = new Map(lists.map(([resourceType, [first = 0, count = 0]]) => [resourceType, { first, count }]))
  const counted = resources.values().reduce((sum, { count }) => sum + count, 0)
  const issues = Result.isFailure(envelope) ? [] : conditionalIssues(envelope.success)
  if (Result.isSuccess(envelope) && counted === slices.length && issues.length === 0) {
    const { fhirResourceFetchStatuses, unchanged = {} } = envelope.success
    return {
      bytes,
      statuses: new Map(Object.entries(fhirResourceFetchStatuses)),
      slices,
      resources,
      unchanged: new Map(Object.entries(unchanged))
    }
  }
  // Malformed JSON is reported before a schema error, so the slices are checked first.
  for (const slice of slices) {
    if (parseJson(textOf(bytes, slice)) === undefined) throw new InvalidJson()
  }
  if (Result.isFailure(envelope)) throw InvalidRequest.of(envelope.failure)
  if (issues.length > 0) throw new InvalidRequest({ issues })
  // JSON.parse drops the first of two members with the same name, so resources would be lost silently.
  throw InvalidRequest.at(["resources"], "Expected each member once")
}

const conditionalIssues = (
  { fhirResourceFetchStatuses: statuses, resources = {}, unchanged = {} }: typeof Envelope.Type
) =>
  Object.keys(unchanged).flatMap((resourceType): ReadonlyArray<Issue> => {
    const message = !Object.hasOwn(statuses, resourceType)
      ? unnamed
      : statuses[resourceType] !== "complete"
      ? "Expected only types with the status 'complete'"
      : Object.hasOwn(resources, resourceType)
      ? "Expected no type that stands in resources too"
      : undefined
    return message === undefined ? [] : [{ path: ["unchanged", resourceType], message }]
  }).slice(0, maxIssues)

const unnamed = "Expected only types named in fhirResourceFetchStatuses"

/**
 * Reads and checks the resources, batch by batch. A resource that `recognise` knows is already stored with the same
 * bytes, so it is not parsed and classified again. Batches are yielded before the last resource is checked, so that the
 * database can work meanwhile. If this throws `InvalidJson` or `InvalidRequest`, the caller must roll back all batches.
 * After the first invalid resource, batches have nothing to store. Types in `same` are skipped: their lists were
 * checked in an earlier sync.
 */
export function* readResources<Known extends { readonly fhirId: string }>(
  { bytes, resources, slices, statuses }: SyncRequest,
  recognise: (resourceType: string, index: number) => Known | undefined,
  same: ReadonlySet<string> = new Set()
): Generator<Batch<Known>, void> {
  const issues: Array<Issue> = []
  const refuse = (path: Issue["path"], message: string) => {
    if (issues.length < maxIssues) issues.push({ path, message })
  }
  const texts = new SearchedTexts()
  let sent: Array<SentResource<Known>> = []
  let fresh: Array<NewResource> = []
  let read = 0
  const endBatch = (): Batch<Known> => {
    const batch = { sent, fresh: issues.length === 0 ? fresh : [] }
    sent = []
    fresh = []
    read = 0
    return batch
  }
  for (const [resourceType, { count, first }] of resources) {
    if (same.has(resourceType)) continue
    const status = statuses.get(resourceType)
    if (status === undefined) {
      refuse(["resources", resourceType], unnamed)
    } else if (count > 0 && (status === "empty" || status === "unavailable")) {
      refuse(["resources", resourceType], `Expected no resources with the status '${status}'`)
    }
    const ids = new Set<string>()
    for (let index = first; index < first + count; index++) {
      const slice = slices[index]!
      const known = recognise(resourceType, index)
      const resource = known ?? readResource(bytes, slice, resourceType, index, texts)
      if (resource === undefined) throw new InvalidJson()
      const problem = typeof resource === "string" ? resource : ids.has(resource.fhirId) ? duplicate : undefined
      if (typeof resource === "string" || problem !== undefined) {
        refuse(["resources", resourceType, index - first], problem!)
      } else {
        ids.add(resource.fhirId)
        sent.push({ resourceType, fhirId: resource.fhirId, known, index })
        if ("sensitiveCategories" in resource) fresh.push(resource)
      }
      read += slice.end - slice.start
      if (read > batchBytes || fresh.length === batchItems) yield endBatch()
    }
  }
  yield endBatch()
  if (issues.length > 0) throw new InvalidRequest({ issues })
}

const duplicate = "Expected an id that is unique within its type"

/** Reads a resource. Returns a message if it is invalid, undefined if it is not JSON. */
const readResource = (
  bytes: Uint8Array,
  slice: Span,
  resourceType: string,
  index: number,
  texts: SearchedTexts
): NewResource | string | undefined => {
  const text = textOf(bytes, slice)
  const parsed = parseJson(text)
  if (parsed === undefined) return undefined
  const { value } = parsed
  const problem = problemOf(value, resourceType, text) ??
    // The resources lie three levels deep in the request.
    (slice.depth + 3 > maximumDepth ? tooDeep : undefined)
  if (problem !== undefined) return problem
  const tally = { unknownSystems: 0 }
  const references = referencesOf(value)
  // An item whose references cannot be read may refer to a protected item, so it gets all categories.
  const sensitiveCategories = references === undefined ? SensitiveCategory.literals : classify(value, tally, texts)
  return {
    ...slice,
    ...tally,
    resourceType,
    index,
    fhirId: (value as { readonly id: string }).id,
    sensitiveCategories,
    references: new Set([...references ?? [], ...subjectsOf(value)])
  }
}

const tooDeep = `Expected at most ${maximumDepth} levels of nesting`

const problemOf = (value: unknown, resourceType: string, text: string): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Expected a FHIR resource"
  const { id, resourceType: type } = value as { readonly resourceType?: unknown; readonly id?: unknown }
  if (type !== resourceType) return "Expected the resourceType of its key"
  if (typeof id !== "string" || !fhirId.test(id)) return "Expected a FHIR id (1 to 64 of A-Z a-z 0-9 - .)"
  // Only a `\u` escape can stand for a character that PostgreSQL or UTF-8 cannot hold. Texts without it pass at once.
  return text.includes("\\u") && unstorable.test(JSON.stringify(value))
    ? "Expected text without NUL and lone surrogates"
    : undefined
}

/** Matches an escaped NUL or lone surrogate; `JSON.stringify` does not escape surrogates in pairs. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
