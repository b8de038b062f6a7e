import { namesIn, namesOf } from "../../domain/FhirReference.ts"
import { maxReadLength } from "../../domain/ReadBounds.ts"

const local = /^(?:([A-Z][A-Za-z]{1,63})\/)?([A-Za-z0-9\-.]{1,64})(\/_history\/[A-Za-z0-9\-.]{1,64})?$/

/** A URL or URN, or a reference by a search (`Location?identifier=…`), of which real records have some. */
const whole = /^(?:[A-Za-z][A-Za-z0-9+.-]*:|[A-Z][A-Za-z]{1,63}\?)\S+$/

/**
 * The keys of a wanted reference, of which a matching one has at least one (R4 search, 3.1.1.4.12). `id` and `Type/id`
 * find a reference to that item on any server, because the record's items keep the ids of their source. A URL under
 * `fhirBase` is the same as a relative reference. Any other URL finds only itself.
 *
 * @returns undefined if the text is no reference
 */
export const wantedReference = (text: string, target: string, fhirBase: string): ReadonlyArray<string> | undefined => {
  const relative = text.startsWith(`${fhirBase}/`) ? text.slice(fhirBase.length + 1) : text
  const [, type = target, id, version = ""] = local.exec(relative) ?? []
  if (id === undefined) return whole.test(text) ? [text, ...isUrn(text) ? namesIn(text) : []] : undefined
  const [name, urnName] = namesOf(type, id)
  if (version !== "") return [name + version]
  // A URN names no type. As a reference of this parameter, it leads to the parameter's target.
  return type === target ? [name, urnName] : [name]
}

const isUrn = (text: string) => /^urn:/i.test(text)

/** The keys of a reference in a resource: its text, also without its version, and the items that it names. */
export const referenceKeys = (reference: string): ReadonlyArray<string> => {
  if (reference.length > maxReadLength) return []
  const [url = "", version] = reference.split("/_history/", 2)
  return [reference, ...version === undefined ? [] : [url], ...namesIn(reference)]
}

/** A canonical is also found without its version, which stands after a bar. */
export const canonicalKeys = (canonical: string): ReadonlyArray<string> => {
  const keys = referenceKeys(canonical)
  return keys.length === 0 ? keys : [...keys, canonical.split("|", 1)[0]!]
}
