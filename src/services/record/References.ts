/** Each reading of a resource that differs from an earlier one has a version of its own: items are read again then. */
export const referencesVersion = "1"

/** What an item is called by those that refer to it: with its type, or by its id alone. */
export const namesOf = (resourceType: string, fhirId: string): readonly [string, string] => [
  `${resourceType}/${fhirId}`,
  fhirId.toLowerCase()
]

/**
 * Finds which items a parsed FHIR resource refers to (FHIR R4, 2.3.0.1), contained resources and extensions included:
 * every `reference`, and the address of an attachment that is a Binary. Each is a name as `namesOf` makes it. A server's
 * address is not looked at, for a record may come from several. What refers by an identifier, or by a search, names
 * nobody here.
 */
export const referencesOf = (resource: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const pending: Array<unknown> = [resource]
  while (pending.length > 0) {
    const node = pending.pop()
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) {
        if (typeof node[i] === "object" && node[i] !== null) pending.push(node[i])
      }
    } else {
      for (const key in node as object) {
        const value = (node as Record<string, unknown>)[key]
        if (typeof value === "object") {
          if (value !== null) pending.push(value)
        } else if (typeof value === "string") {
          if (key === "reference" || (key === "url" && value.includes("Binary/"))) readReference(value, found)
        }
      }
    }
  }
  return found
}

const simple = /^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/

/** A bundle names its entries like this, and those who make one give the resource the same id. */
const urn = /^\s*urn:(?:uuid|oid):([A-Za-z0-9\-.]{1,64})(?![^|#?\s])/i

/**
 * Finds each type with an id behind it, wherever it stands in an address. A version, a fragment or a query says only
 * which state or part of the item is meant.
 */
const within = /(?<![^/\s])(?=([A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64})(?![^/|#?\s]))/g

const readReference = (reference: string, found: Set<string>) => {
  // A contained resource belongs to its item.
  if (reference.startsWith("#")) return
  if (simple.test(reference)) {
    found.add(reference)
    return
  }
  const id = urn.exec(reference)?.[1]
  if (id !== undefined) found.add(id.toLowerCase())
  else for (const [, name] of reference.matchAll(within)) found.add(name!)
}
