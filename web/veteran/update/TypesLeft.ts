import type { FetchStatus } from "../../../src/domain/SyncState.ts"
import type { KindProgress, UpdateTask } from "./Messages.ts"

/** The part of the service's manifest that an update needs (contract, part 5). Times are as the service writes them. */
export type StoredTypes = Readonly<
  Record<string, {
    readonly state: string
    readonly lastFetch: FetchStatus
    readonly lastFetchAt: string
    readonly itemCount: number
  }>
>

/** The types that this update has to read: all but those that were stored since it began. */
export const typesLeft = ({ begin, resourceTypes }: UpdateTask, manifest: StoredTypes): ReadonlyArray<string> => {
  const all = [...new Set(resourceTypes)]
  return begin === null
    ? all
    : all.filter((type) => !(Date.parse(manifest[type]?.lastFetchAt ?? "") >= Date.parse(begin)))
}

/** What is known of a type before it is read: nothing, or how this update stored it before it was interrupted. */
export const progressOf = (resourceType: string, manifest: StoredTypes, isLeft: boolean): KindProgress => {
  const stored = manifest[resourceType]
  return isLeft || stored === undefined
    ? { resourceType, step: "open", count: 0, cause: null, keepsOlder: false }
    : { resourceType, step: stored.lastFetch, count: stored.itemCount, cause: null, keepsOlder: isOlder(stored) }
}

/** Whether an incomplete fetch left an older list in its place. */
const isOlder = ({ itemCount, lastFetch, state }: StoredTypes[string]) =>
  itemCount > 0 && (state === "stale" || lastFetch === "unavailable")

/** The service takes a digest instead of a type that it has whole (contract, 14.8, step 3). */
export const takesDigest = (manifest: StoredTypes, resourceType: string) =>
  ["complete", "stale"].includes(manifest[resourceType]?.state ?? "")
