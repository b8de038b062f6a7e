import { maxReadLength } from "./ReadBounds.ts"

/** The names by which references may name an item: with its type, or by its id alone. */
export const namesOf = (resourceType: string, fhirId: string): readonly [string, string] => [
  `${resourceType}/${fhirId}`,
  fhirId.toLowerCase()
]

/**
 * The names, as `namesOf` makes them, of the items that a FHIR reference names (R4, 2.3.0.1). A server's address is
 * ignored, because a record may come from several servers. A contained resource belongs to its item and has no name. A
 * reference that is too long is not read.
 */
export const namesIn = (reference: string): ReadonlyArray<string> => {
  if (reference.startsWith("#") || reference.length > maxReadLength) return []
  if (simple.test(reference)) return [reference]
  const id = urn.exec(reference)?.[1]
  return id === undefined ? Array.from(reference.matchAll(within), ([, name]) => name!) : [id.toLowerCase()]
}

const simple = /^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/

/** Bundles name their entries in this form, and their makers give the resource the same id. */
const urn = /^\s*urn:(?:uuid|oid):([A-Za-z0-9\-.]{1,64})(?![^|#?\s])/i

/**
 * Finds each type with an id behind it, anywhere in an address. A version, a fragment or a query only says which state
 * or part of the item is meant.
 */
const within = /(?<![^/\s])(?=([A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64})(?![^/|#?\s]))/g
