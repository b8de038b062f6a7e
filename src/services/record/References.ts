import { members } from "../../clinical/Members.ts"
import { namesIn } from "../../domain/FhirReference.ts"
import { maxReadLength } from "../../domain/ReadBounds.ts"
import { subjectMembers, subjectNames } from "../../domain/SubjectName.ts"

/** Change this whenever these functions change what they find, so that the references of stored items are read again. */
export const referencesVersion = "3"

/** Limit for one resource. Even the longest lists of honest records refer to only a few thousand items. */
const maxReferences = 100_000

/**
 * Finds the items that a parsed FHIR resource refers to (FHIR R4, 2.3.0.1): every `reference`, and the URL of an
 * attachment that is a Binary. It also reads contained resources and extensions. Logical references (by identifier)
 * and conditional references (by search) are ignored.
 *
 * @returns undefined if a reference is too long or there are too many
 */
export const referencesOf = (resource: unknown): ReadonlySet<string> | undefined => {
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
          // A data URL contains the attachment (RFC 2397) and refers to nothing.
          const isAddress = key === "url" && !/^data:/i.test(value)
          if (key !== "reference" && !isAddress) continue
          if (value.length > maxReadLength) return undefined
          if (isAddress && !value.includes("Binary/")) continue
          for (const name of namesIn(value)) found.add(name)
          if (found.size > maxReferences) return undefined
        }
      }
    }
  }
  return found
}

/**
 * Returns the names of a resource's subject beside those of `referencesOf` (domain/SubjectName.ts), so that a query finds
 * out whether all items of a record name the same subject.
 */
export const subjectsOf = (resource: unknown): ReadonlyArray<string> =>
  subjectMembers.flatMap((member) => {
    const { reference } = members<{ reference: unknown }>(members<Record<string, unknown>>(resource)[member])
    return typeof reference === "string" && reference.length <= maxReadLength ? subjectNames(member, reference) : []
  })
