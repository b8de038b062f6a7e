import { type ScopeCategory, typesWithCategory } from "../../domain/SmartScope.ts"
import type { Between, Conditions } from "../../sql/fhir/GrantedItemRepository.ts"
import { isReadable } from "../record/ReadableJson.ts"
import type { Criterion, WantedDate } from "./Criterion.ts"
import { isFhirId } from "./FhirId.ts"
import { matcherOf } from "./Matcher.ts"
import type { Listing } from "./Search.ts"
import { searchedMembers } from "./SearchedMembers.ts"
import { parametersOf } from "./SearchParameters.ts"

/** What an app asks of a record and may have of it, before anything is read. */
export interface ListingPlan {
  readonly listing: Listing
  /** Null: whatever types there are. */
  readonly resourceTypes: ReadonlyArray<string> | null
  /** As `allowedOf` in domain/SmartScope.ts answers it. */
  readonly allowed: (resourceType: string) => ReadonlyArray<ScopeCategory> | null | undefined
  /** What the address has behind the FHIR base. */
  readonly path: string
  /** A page ends at about so many bytes. */
  readonly bytes: number
  /** Whether the answer is about the token's patient; about another there is nothing. */
  readonly ofPatient: boolean
}

/** Whether items have to be opened to know which are in the answer. */
export const isNarrowed = ({ allowed, listing, ofPatient, resourceTypes }: ListingPlan): boolean =>
  ofPatient && (listing.criteria.length > 0 ||
    (resourceTypes ?? typesWithCategory).some((type) => (allowed(type) ?? []).length > 0))

/** What an item of the type has to agree with once it is opened. */
export const criteriaOf = (
  { allowed, listing }: Pick<ListingPlan, "allowed"> & { readonly listing: Pick<Listing, "criteria"> },
  resourceType: string
): ReadonlyArray<Criterion> => {
  const categories = allowed(resourceType)
  return categories ? [...listing.criteria, inCategories(resourceType, categories)] : listing.criteria
}

/** A scope with a category admits what is in it; several such scopes admit what is in any. */
const inCategories = (resourceType: string, wanted: ReadonlyArray<ScopeCategory>): Criterion => ({
  kind: "token",
  parameter: parametersOf(resourceType).get("category")!,
  wanted
})

/** Tells, step by step, whether an item is in the answer. What is too large to be read agrees with nothing. */
export const agreeing = (criteria: ReadonlyArray<Criterion>): (bytes: Uint8Array) => Generator<void, boolean> => {
  const matcher = matcherOf(criteria)
  return function*(bytes) {
    if (criteria.length === 0) return true
    return (yield* isReadable(bytes)) && (yield* matcher(yield* searchedMembers(bytes)))
  }
}

export const conditionsOf = ({ ids, updated }: Listing): Conditions => ({
  ids: ids?.filter(isFhirId),
  stored: updated.map((wanted) => wanted.map(betweenOf))
})

/** When a text was stored is a point in time, told in milliseconds. */
const betweenOf = ({ prefix, range: { first, last } }: WantedDate): Between => {
  switch (prefix) {
    case "eq":
      return { first, last }
    case "ge":
      return { first, last: Infinity }
    case "gt":
    case "sa":
      return { first: last + 1, last: Infinity }
    case "le":
      return { first: -Infinity, last }
    case "lt":
    case "eb":
      return { first: -Infinity, last: first - 1 }
  }
}
