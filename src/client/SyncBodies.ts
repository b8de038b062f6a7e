import { syncLimits } from "../domain/SyncLimits.ts"
import type { FetchedType } from "./FhirReader.ts"

/** `bytes` is the size of the type's resources in a body, `count` is their number. */
export interface SizedType extends FetchedType {
  readonly bytes: number
  readonly count: number
}

/** Maximum bytes of a type besides its resources: its name (64 characters) up to three times, a status and a digest. */
const maxTypeOverhead = 400

const maxBodyOverhead = 100

const encoder = new TextEncoder()

/** Most texts fit into it, and are measured without a copy for the garbage collector. */
const scratch = new Uint8Array(64 * 1024)

/** The length in UTF-8, which has at most three bytes for a unit of UTF-16. */
const byteLength = (text: string) =>
  text.length * 3 <= scratch.length ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length

/** Returns what fits into one sync. Several syncs cannot share a type, so a larger type ends as `partial`. */
export const fittingResources = (
  fetched: FetchedType,
  limit: number
): { readonly type: SizedType; readonly notice: string | undefined } => {
  const { resourceType, resources } = fetched
  const room = limit - maxBodyOverhead - maxTypeOverhead
  let [bytes, count] = [0, 0]
  const fitting = resources.filter((text) => {
    const more = byteLength(text) + 1
    const fits = bytes + more <= room && count < syncLimits.resources
    if (fits) [bytes, count] = [bytes + more, count + 1]
    return fits
  })
  if (count === resources.length) return { type: { ...fetched, bytes, count }, notice: undefined }
  return {
    type: { resourceType, status: "partial", resources: fitting, bytes, count },
    notice: `${resourceType}: ${count} of ${resources.length} resources were sent, because a sync takes ` +
      `${limit.toLocaleString("en")} bytes and ${syncLimits.resources.toLocaleString("en")} resources. ` +
      "The type counts as partial."
  }
}

/** Returns as many of the first types as fit into a body, and at least one. Types in `digests` are sent as digests. */
export const firstBody = <A extends Pick<SizedType, "resourceType" | "bytes" | "count">>(
  types: ReadonlyArray<A>,
  digests: ReadonlyMap<string, string>,
  limit: number
): ReadonlyArray<A> => {
  const room = { bytes: limit - maxBodyOverhead, resources: syncLimits.resources }
  const beyond = types.findIndex(({ bytes, count, resourceType }) => {
    const isSent = !digests.has(resourceType)
    room.bytes -= maxTypeOverhead + (isSent ? bytes : 0)
    if (isSent) room.resources -= count
    return room.bytes < 0 || room.resources < 0
  })
  return beyond < 0 ? types : types.slice(0, beyond)
}

/** Serialises a `HealthRecordSyncRequest` with the exact text of each resource. */
export const bodyText = (types: ReadonlyArray<FetchedType>, digests: ReadonlyMap<string, string>): string => {
  const statuses = Object.fromEntries(types.map(({ resourceType, status }) => [resourceType, status]))
  const unchanged = Object.fromEntries(types.flatMap(({ resourceType }) => {
    const digest = digests.get(resourceType)
    return digest === undefined ? [] : [[resourceType, digest] as const]
  }))
  const members = types.filter(({ resourceType }) => !digests.has(resourceType)).map(({ resourceType, resources }) =>
    `"${resourceType}":[${resources.join(",")}]`
  )
  return `{"fhirResourceFetchStatuses":${JSON.stringify(statuses)},"unchanged":${
    JSON.stringify(unchanged)
  },"resources":{${members.join(",")}}}`
}
