import type { FetchedType } from "./FhirReader.ts"

/** What a sync takes at most, in bytes after decompression (contract, part 5). */
export const maxSyncBytes = 64 * 1024 * 1024

/** A type with the bytes that its resources take in a body. */
export interface SizedType extends FetchedType {
  readonly bytes: number
}

/** Bytes at most of a type beside its resources: its name of 64 characters up to three times, a status, a digest. */
const aroundType = 400

const aroundTypes = 100

/**
 * What of a type one sync can take. A larger type has no pages that could be synchronised one by one, so it ends as
 * `partial`, and the notice says so.
 */
export const fitted = (
  fetched: FetchedType,
  limit: number
): { readonly type: SizedType; readonly notice: string | undefined } => {
  const { resourceType, resources } = fetched
  const room = limit - aroundTypes - aroundType
  let bytes = 0
  const fitting = resources.filter((text) => {
    const more = Buffer.byteLength(text) + 1
    const fits = bytes + more <= room
    if (fits) bytes += more
    return fits
  })
  if (fitting.length === resources.length) return { type: { ...fetched, bytes }, notice: undefined }
  return {
    type: { resourceType, status: "partial", resources: fitting, bytes },
    notice: `${resourceType}: ${fitting.length} of ${resources.length} resources were sent, because a sync takes ` +
      `${limit.toLocaleString("en")} bytes. The type counts as partial.`
  }
}

/** The types, in their order, that the next body takes; those in `digests` go as their digest. There is always one. */
export const firstBody = (
  types: ReadonlyArray<SizedType>,
  digests: ReadonlyMap<string, string>,
  limit: number
): ReadonlyArray<SizedType> => {
  let room = limit - aroundTypes
  const beyond = types.findIndex(({ bytes, resourceType }) => {
    room -= aroundType + (digests.has(resourceType) ? 0 : bytes)
    return room < 0
  })
  return beyond < 0 ? types : types.slice(0, beyond)
}

/** `HealthRecordSyncRequest` with each resource as its exact text. */
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
