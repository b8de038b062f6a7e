import { Effect, Result, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import { InvalidJson, InvalidRequest } from "./ApiError.ts"
import { cutElements, depthOf, maximumDepth, type Slice } from "./JsonText.ts"
import { FetchStatus, ResourceType } from "./Manifest.ts"
import { classify, type SensitiveCategory } from "./SensitiveCategories.ts"

/** `HealthRecordSyncRequest` as documented; the service reads its bytes (`parse`), to keep each resource's exact text. */
export const HealthRecordSyncRequest = Schema.Struct({
  fhirResourceFetchStatuses: Schema.Record(ResourceType, FetchStatus),
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Unknown)))
}).annotate({ identifier: "HealthRecordSyncRequest" })

/** A resource of the request: where its text is, and what had to be known of it. */
export interface SentResource extends Slice {
  readonly fhirId: string
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
}

export interface SyncRequest {
  readonly bytes: Uint8Array
  readonly types: ReadonlyMap<string, { readonly lastFetch: FetchStatus; readonly resources: ReadonlyArray<SentResource> }>
}

/** What surrounds the resources, each of which stands as the number of its slice. */
const Envelope = Schema.Struct({
  fhirResourceFetchStatuses: HealthRecordSyncRequest.fields.fhirResourceFetchStatuses,
  resources: Schema.optional(Schema.Record(ResourceType, Schema.Array(Schema.Int)))
})
const decodeEnvelope = Schema.decodeUnknownResult(Envelope, { onExcessProperty: "error", errors: "all" })

const fhirId = /^[A-Za-z0-9\-.]{1,64}$/
const mostIssues = 50
/** Parsed before other requests get their turn. */
const sliceBytes = 512 * 1024

type Issue = InvalidRequest["issues"][number]

/** Checks all of a sync request before any of it is stored. */
export const parse = Effect.fnUntraced(function*(bytes: Uint8Array): Effect.fn.Return<SyncRequest, InvalidJson | InvalidRequest> {
  if (!isUtf8(bytes)) return yield* new InvalidJson()
  const { outer, slices } = cutElements(bytes, "resources")
  const parsed = parseJson(outer)
  if (parsed === undefined) return yield* new InvalidJson()
  const envelope = decodeEnvelope(parsed.value)
  if (Result.isFailure(envelope)) {
    // The envelope stands for the body only if the slices are JSON too: malformed JSON comes before a bad schema.
    for (const slice of slices) if (parseJson(textOf(bytes, slice)) === undefined) return yield* new InvalidJson()
    return yield* InvalidRequest.of(envelope.failure)
  }
  const { fhirResourceFetchStatuses, resources = {} } = envelope.success

  const issues: Array<Issue> = []
  const refuse = (path: Issue["path"], message: string) => {
    if (issues.length < mostIssues) issues.push({ path, message })
  }
  const types = new Map(
    Object.entries(fhirResourceFetchStatuses).map(([type, lastFetch]) => [
      type,
      { lastFetch, resources: [] as Array<SentResource> }
    ])
  )
  let seen = 0
  let sinceYield = 0
  for (const [resourceType, indexes] of Object.entries(resources)) {
    const type = types.get(resourceType)
    if (type === undefined) refuse(["resources", resourceType], "Expected only types named in fhirResourceFetchStatuses")
    else if (indexes.length > 0 && (type.lastFetch === "empty" || type.lastFetch === "unavailable")) {
      refuse(["resources", resourceType], `Expected no resources with the status '${type.lastFetch}'`)
    }
    const ids = new Set<string>()
    for (const [index, at] of indexes.entries()) {
      const slice = slices[at]!
      seen++
      sinceYield += slice.end - slice.start
      if (sinceYield > sliceBytes) {
        sinceYield = 0
        yield* Effect.yieldNow
      }
      const text = textOf(bytes, slice)
      const resource = parseJson(text)
      if (resource === undefined) return yield* new InvalidJson()
      const problem = problemOf(resource.value, resourceType, ids, text) ??
        (depthOf(bytes, slice) + 3 > maximumDepth ? tooDeep : undefined)
      if (problem !== undefined) {
        refuse(["resources", resourceType, index], problem)
        continue
      }
      const { id } = resource.value as { readonly id: string }
      ids.add(id)
      type?.resources.push({ ...slice, fhirId: id, sensitiveCategories: classify(resource.value) })
    }
  }
  // JSON.parse keeps the last of two members with one name; resources would vanish without a word.
  if (seen !== slices.length) refuse(["resources"], "Expected each member once")
  return issues.length > 0 ? yield* new InvalidRequest({ issues }) : { bytes, types }
})

export const textOf = (bytes: Uint8Array, { end, start }: Slice) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

const tooDeep = `Expected at most ${maximumDepth} levels of nesting`

const problemOf = (value: unknown, resourceType: string, ids: ReadonlySet<string>, text: string): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "Expected a FHIR resource"
  const { id, resourceType: type } = value as { readonly resourceType?: unknown; readonly id?: unknown }
  if (type !== resourceType) return "Expected the resourceType of its key"
  if (typeof id !== "string" || !fhirId.test(id)) return "Expected a FHIR id (1 to 64 of A-Z a-z 0-9 - .)"
  if (ids.has(id)) return "Expected an id that is unique within its type"
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
