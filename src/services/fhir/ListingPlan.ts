import { type ScopeCategory, typesWithCategory } from "../../domain/SmartScope.ts"
import type { Between, Conditions } from "../../sql/fhir/GrantedItemRepository.ts"
import { isReadable } from "../record/ReadableJson.ts"
import type { Criterion, WantedDate } from "./Criterion.ts"
import { isFhirId } from "./FhirId.ts"
import { type Include, includedType } from "./Includes.ts"
import type { Order } from "./ListingOrder.ts"
import { matcherOf } from "./Matcher.ts"
import type { Listing } from "./Search.ts"
import { searchedMembers } from "./SearchedMembers.ts"
import { parametersOf, searchedNames, type TokenParameter } from "./SearchParameters.ts"

/** An app's search, and what the app may read. */
export interface ListingPlan {
  readonly listing: Listing
  /** Null stands for all types. */
  readonly resourceTypes: ReadonlyArray<string> | null
  /** See `allowedOf` in domain/SmartScope.ts. */
  readonly allowed: (resourceType: string) => ReadonlyArray<ScopeCategory> | null | undefined
  /** The path after the FHIR base URL. */
  readonly path: string
  /** A page ends at about this many bytes. */
  readonly bytes: number
  /** If undefined, the matches are ordered by type and id. */
  readonly order: Order | undefined
  /** What the page adds to its matches, as far as the app may see it. */
  readonly includes: ReadonlyArray<Include>
  /** Whether this is the operation `$everything`. */
  readonly isEverything: boolean
  /** Whether the search is about the token's patient. A search about any other patient finds nothing. */
  readonly ofPatient: boolean
}

/** The types that a page may show, among them those of included items. Null stands for all types. */
export const requestedTypes = ({ includes, resourceTypes }: ListingPlan): ReadonlyArray<string> | null =>
  resourceTypes && [...new Set([...resourceTypes, ...includes.map((include) => includedType[include])])]

/** Whether items must be decrypted to know whether they match. */
export const isNarrowed = ({ allowed, listing, ofPatient, resourceTypes }: ListingPlan): boolean =>
  ofPatient && (listing.criteria.length > 0 ||
    (resourceTypes ?? typesWithCategory).some((type) => (allowed(type) ?? []).length > 0))

export const criteriaOf = (
  { allowed, listing }: Pick<ListingPlan, "allowed"> & { readonly listing: Pick<Listing, "criteria"> },
  resourceType: string
): ReadonlyArray<Criterion> => {
  const categories = allowed(resourceType)
  return categories ? [...listing.criteria, inCategories(resourceType, categories)] : listing.criteria
}

/** A scope with a category admits items of that category. Several such scopes admit items of any of the categories. */
const inCategories = (resourceType: string, wanted: ReadonlyArray<ScopeCategory>): Criterion => ({
  kind: "token",
  parameter: parametersOf(resourceType).get("category") as TokenParameter,
  wanted
})

/** Checks, step by step, whether an item matches. An item too large to parse (ReadableJson.ts) does not match. */
export const itemMatcher = (criteria: ReadonlyArray<Criterion>): (bytes: Uint8Array) => Generator<void, boolean> => {
  const matcher = matcherOf(criteria)
  const names = searchedNames(criteria.map(({ parameter }) => parameter))
  return function*(bytes) {
    if (criteria.length === 0) return true
    return (yield* isReadable(bytes)) && (yield* matcher(yield* searchedMembers(bytes, names)))
  }
}

export const conditionsOf = ({ ids, updated }: Listing): Conditions => ({
  ids: ids?.filter(isFhirId),
  stored: updated.map((wanted) => wanted.map(betweenOf))
})

/** An item was stored at one instant, not in a period. So `gt` means the same as `sa`, and `lt` the same as `eb`. */
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
