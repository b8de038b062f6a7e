import { maxReadLength } from "./ReadBounds.ts"

/** What an item is called by those that refer to it: with its type, or by its id alone. */
export const namesOf = (resourceType: string, fhirId: string): readonly [string, string] => [
  `${resourceType}/${fhirId}`,
  fhirId.toLowerCase()
]

/**
 * The items that a FHIR reference names (R4, 2.3.0.1), as `namesOf` makes their names. A server's address is not looked at, for a record may
 * come from several. What is contained belongs to its item, and is none. One that is too long is not read.
 */
export const namesIn = (reference: string): ReadonlyArray<string> => {
  if (reference.startsWith("#") || reference.length > maxReadLength) return []
  if (simple.test(reference)) return [reference]
  const id = urn.exec(reference)?.[1]
  return id === undefined ? Array.from(reference.matchAll(within), ([, name]) => name!) : [id.toLowerCase()]
}

const simple = /^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/

/** A bundle names its entries like this, and those who make one give the resource the same id. */
const urn = /^\s*urn:(?:uuid|oid):([A-Za-z0-9\-.]{1,64})(?![^|#?\s])/i

/**
 * Finds each type with an id behind it, wherever it stands in an address. A version, a fragment or a query says only
 * which state or part of the item is meant.
 */
const within = /(?<![^/\s])(?=([A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64})(?![^/|#?\s]))/g
