import type { Manifest, ManifestEntry } from "../../domain/Manifest.ts"

/** The manifest for a reader who sees `visible` items of each type. */
export const visibleManifest = (manifest: Manifest, visible: ReadonlyMap<string, number>): Manifest =>
  Object.fromEntries(
    Object.entries(manifest).map(([type, entry]) => {
      const itemCount = visible.get(type) ?? 0
      return [type, itemCount > 0 ? { ...entry, itemCount } : emptyOf(entry)]
    })
  )

/** A type whose items are all withheld must look like one without items (38 U.S.C. 7332(a)(2)). */
const emptyOf = (entry: ManifestEntry): ManifestEntry => {
  const lastFetch = entry.lastFetch === "complete" ? "empty" : entry.lastFetch
  return { ...entry, state: emptyState(entry), lastFetch, lastCompleteAt: null, itemCount: 0 }
}

const emptyState = ({ lastFetch, state }: ManifestEntry): ManifestEntry["state"] => {
  if (state === "complete") return "empty"
  if (state === "stale") return lastFetch === "unavailable" ? "empty" : "partial"
  return state
}

export const onlyTypes = (manifest: Manifest, types: ReadonlyArray<string> | null): Manifest =>
  types === null ? manifest : Object.fromEntries(Object.entries(manifest).filter(([type]) => types.includes(type)))
