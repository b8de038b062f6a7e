import { Result, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import { type Span, textOf } from "../../clinical/JsonSpans.ts"
import { InvalidJson, InvalidRequest } from "../../domain/Errors.ts"
import { HealthRecordSyncRequest } from "../../domain/HealthRecord.ts"
import { ResourceType } from "../../domain/Manifest.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import type { FetchStatus } from "../../domain/SyncState.ts"
import { cutElements, maximumDepth } from "./JsonCut.ts"
import { referencesOf } from "./References.ts"
import { classify } from "./SensitiveCodes.ts"

/** A request whose envelope fits; its resources are not read yet. */
export interface SyncRequest {
  readonly bytes: Uint8Array
  readonly statuses: ReadonlyMap<string, FetchStatus>
  readonly slices: ReadonlyArray<Span>
  /** Says for each type which slices are its resources. */
  readonly resources: ReadonlyMap<string, SlicesOfType>
  /** The digests of types that are said to be as they were (TypeDigest.ts). */
  readonly unchanged: ReadonlyMap<string, string>
}

export interface SlicesOfType {
  readonly first: number
  readonly count: number
}

/** A resource of the request, and what `recognise` said of it. */
export interface SentResource<Known> {
  readonly resourceType: string
  readonly fhirId: string
  readonly known: Known | undefined
  /** The index of its slice. */
  readonly index: number
}

/**
 * A resource that is not stored with the same bytes yet: this says where its text is, and what has to be known of it.
 */
export interface NewResource extends Span {
  readonly resourceType: string
  /** The index of its slice. */
  readonly index: number
  readonly fhirId: string
  /** Those of its own content. */
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  /** The names of what it refers to. */
  readonly references: ReadonlySet<string>
  /** How many of its codings have a system that nobody here knows. */
  readonly unknownSystems: number
}

/** Holds what was read together. */
export interface Batch<Known> {
  readonly sent: ReadonlyArray<SentResource<Known>>
  /** These are those of them that `recognise` did not know. */
  readonly fresh: ReadonlyArray<NewResource>
}

/** Describes what surrounds the resources; of each list it holds the index of the first and their number. */
const Envelope = Schema.Struct({
  fhirResourceFetchStatuses: HealthRecordSyncRequest.fields.fhirResourceFetchStatuses,
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Int))),
  unchanged: HealthRecordSyncRequest.fields.unchanged
})

const decodeEnvelope = Schema.decodeUnknownResult(Envelope, { onExcessProperty: "error", errors: "all" })

const fhirId = /^[A-Za-z0-9\-.]{1,64}$/

const maxIssues = 50

/** A batch has about so many bytes, or so many new resources. */
const batchBytes = 512 * 1024

const batchItems = 250

type Issue = InvalidRequest["issues"][number]

/** Checks everything of a sync request except its resources; throws `InvalidJson` or `InvalidRequest`. */
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
  // The envelope stands for the body only if the slices are JSON too: malformed JSON comes before a bad schema.
  for (const slice of slices) {
    if (parseJson(textOf(bytes, slice)) === undefined) throw new InvalidJson()
  }
  if (Result.isFailure(envelope)) throw InvalidRequest.of(envelope.failure)
  if (issues.length > 0) throw new InvalidRequest({ issues })
  // JSON.parse keeps the last of two members with one name; resources would vanish without a word.
  throw InvalidRequest.at(["resources"], "Expected each member once")
}

/** Says what is wrong with the types that are said to be as they were. */
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
 * Reads and checks the resources, batch by batch. One that `recognise` knows is stored with the same bytes: it was
 * checked then, and is neither parsed nor classified again. Batches come before the last resource is checked, so that
 * the database has work meanwhile: whoever stores them takes them back when this throws `InvalidJson` or
 * `InvalidRequest`. After the first resource that is wrong no batch has any to store. The types of `same` are not looked
 * at: their lists were checked when they came before.
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
      const resource = known ?? readResource(bytes, slice, resourceType, index)
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

/** Answers what has to be known of a resource, or what is wrong with it; undefined means that it is no JSON. */
const readResource = (
  bytes: Uint8Array,
  slice: Span,
  resourceType: string,
  index: number
): NewResource | string | undefined => {
  const text = textOf(bytes, slice)
  const parsed = parseJson(text)
  if (parsed === undefined) return undefined
  const { value } = parsed
  const problem = problemOf(value, resourceType, text) ??
    // The resources lie within three levels of the request.
    (slice.depth + 3 > maximumDepth ? tooDeep : undefined)
  if (problem !== undefined) return problem
  const tally = { unknownSystems: 0 }
  const references = referencesOf(value)
  // An item whose references cannot be read may refer to a protected one: in doubt it is withheld.
  const sensitiveCategories = references === undefined ? SensitiveCategory.literals : classify(value, tally)
  return {
    ...slice,
    ...tally,
    resourceType,
    index,
    fhirId: (value as { readonly id: string }).id,
    sensitiveCategories,
    references: references ?? new Set()
  }
}

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
