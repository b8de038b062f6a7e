import type { Alert } from "../../domain/Alert.ts"
import { newId } from "../platform/Ids.ts"
import { JsonBytes } from "../record/JsonBytes.ts"
import { ignoredParameters, includesCut, incompleteness } from "./OperationOutcome.ts"

/** A resource of a bundle, with its exact stored text. */
export interface Match {
  readonly resourceType: string
  readonly fhirId: string
  readonly bytes: Uint8Array
  /** If undefined, the resource's address at this service. */
  readonly fullUrl?: string | undefined
}

export interface SearchSet {
  readonly fhirBase: string
  /** The total is undefined if counting would take too long. */
  readonly total: number | undefined
  readonly self: string
  readonly next: string | undefined
  readonly matches: ReadonlyArray<Match>
  /** An entry before the matches, to which they refer. */
  readonly first: Match | undefined
  /** Entries after the matches: what they include, and whether the page has room for all of it. */
  readonly included: { readonly items: ReadonlyArray<Match>; readonly isWhole: boolean }
  readonly alerts: ReadonlyArray<Alert>
  /** The names of the parameters that the search ignored. */
  readonly ignored: ReadonlyArray<string>
}

/** Writes a Bundle `searchset` (FHIR R4, 2.36.5) with the exact text of each resource, without parsing it. */
export const searchBundle = (
  { alerts, fhirBase, first, ignored, included, matches, next, self, total }: SearchSet
): JsonBytes => {
  const entryOf = (mode: string) => ({ bytes, fhirId, fullUrl, resourceType }: Match) =>
    JsonBytes.object({
      fullUrl: fullUrl ?? `${fhirBase}/${resourceType}/${fhirId}`,
      resource: JsonBytes.exact(bytes),
      search: { mode }
    })
  const outcomes = [
    ...included.isWhole ? [] : [includesCut()],
    ...alerts.map(incompleteness),
    ...ignored.length > 0 ? [ignoredParameters(ignored)] : []
  ]
  const entries = [
    ...first === undefined ? [] : [entryOf("include")(first)],
    ...matches.map(entryOf("match")),
    ...included.items.map(entryOf("include")),
    ...outcomes.map((resource) => JsonBytes.value({ resource, search: { mode: "outcome" } }))
  ]
  return JsonBytes.object({
    resourceType: "Bundle",
    id: newId(),
    meta: { lastUpdated: new Date().toISOString() },
    type: "searchset",
    ...total !== undefined && { total },
    link: [{ relation: "self", url: self }, ...next === undefined ? [] : [{ relation: "next", url: next }]],
    ...entries.length > 0 && { entry: JsonBytes.array(entries) }
  })
}
