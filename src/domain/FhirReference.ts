import { maxReadLength } from "./ReadBounds.ts"

/** The forms in which references may name an item: type and id, or the id alone. */
export const namesOf = (resourceType: string, fhirId: string): readonly [string, string] => [
  `${resourceType}/${fhirId}`,
  fhirId.toLowerCase()
]

/**
 * Returns the names of the items that a FHIR reference refers to (R4, 2.3.0.1), in the forms that `namesOf` makes. A
 * server's address is ignored, because a record may come from several servers. A reference to a contained resource
 * gives no name, because that resource is part of its item. A reference that is too long is not read.
 */
export const namesIn = (reference: string): ReadonlyArray<string> => {
  if (reference.startsWith("#") || reference.length > maxReadLength) return []
  if (simple.test(reference)) return [reference]
  const id = urn.exec(reference)?.[1]
  return id === undefined ? Array.from(reference.matchAll(within), ([, name]) => name!) : [id.toLowerCase()]
}

const simple = /^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/

/** A reference to another entry of a bundle. In practice, the URN's UUID or OID is also the id of the resource. */
const urn = /^\s*urn:(?:uuid|oid):([A-Za-z0-9\-.]{1,64})(?![^|#?\s])/i

/** Finds each `Type/id`, anywhere in an address. The text after the id only selects a version or a part of the item. */
const within = /(?<![^/\s])(?=([A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64})(?![^/|#?\s]))/g
