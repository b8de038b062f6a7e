import type { Manifest } from "../../../src/domain/Manifest.ts"

/** How many items the record has of these kinds. A release has at most as many. */
export const itemsOf = (manifest: Manifest, types: ReadonlyArray<string>) =>
  types.reduce((sum, type) => sum + (manifest[type]?.itemCount ?? 0), 0)
