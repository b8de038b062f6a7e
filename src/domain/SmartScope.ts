import { Option } from "effect"
import { isFhirType } from "./FhirType.ts"

/** A category that narrows a scope (SMART App Launch 2.2, "Finer-grained resource constraints"). */
export interface ScopeCategory {
  readonly system: string
  readonly code: string
}

/** `r` reads a resource by its id, `s` searches. */
export type ScopeLetter = "r" | "s"

/** Reads one type, or every type with `*`. */
export interface ReadScope {
  readonly kind: "read"
  /** The scope as requested, without the letters for writing (`c`, `u`, `d`). */
  readonly text: string
  readonly type: string
  readonly letters: string
  readonly category: ScopeCategory | undefined
}

/** `launch/patient` and `offline_access` read nothing. */
interface OtherScope {
  readonly kind: "launch" | "offline"
  readonly text: string
}

export type SmartScope = ReadScope | OtherScope

/** A well-formed scope that this service does not offer. */
interface NotOffered {
  readonly kind: "dropped"
}

/** Maximum length of a list of scopes, in characters. A list with a scope for every FHIR type fits. */
const maxScopeLength = 8000

/** A `scope-token` (RFC 6749, appendix A.4). */
const token = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** A clinical scope: letters of `cruds` in this order, or the words of SMART App Launch 1 (`read`, `write`, `*`). */
const clinical = /^(patient|user|system)\/(\*|[A-Za-z]+)\.(c?r?u?d?s?|read|write|\*)$/

/** The types for which a scope may name a category. */
export const typesWithCategory = ["CarePlan", "Condition", "DiagnosticReport", "DocumentReference", "Observation",
  "ServiceRequest"] as const

const ofCategory = new RegExp(`^patient/(${typesWithCategory.join("|")})\\.rs\\?category=([^|&,]+)\\|([^|&,]+)$`)

const ofRecord = /^record:read(?::([A-Za-z]+))?$/

const notOffered: ReadonlySet<string> = new Set(["openid", "fhirUser", "profile", "online_access", "launch"])

const reading = (text: string, type: string, letters: string, category?: ScopeCategory): ReadScope => ({
  kind: "read",
  text,
  type,
  letters,
  category
})

/** Reads one scope by the grammar of `docs/app-author.md`. Returns None if it is malformed or R4 lacks the type. */
const scopeOf = (text: string): Option.Option<SmartScope | NotOffered> => {
  if (!token.test(text)) return Option.none()
  if (text === "launch/patient") return Option.some({ kind: "launch", text })
  if (text === "offline_access") return Option.some({ kind: "offline", text })
  if (notOffered.has(text)) return Option.some({ kind: "dropped" })
  const record = ofRecord.exec(text)
  if (record !== null) return knownType(record[1] ?? "*", (type) => reading(text, type, "rs"))
  const category = ofCategory.exec(text)
  if (category !== null) {
    const [, type, system, code] = category
    return Option.some(reading(text, type!, "rs", { system: system!, code: code! }))
  }
  const [, compartment, type, permission] = clinical.exec(text) ?? []
  return type === undefined || permission === undefined || permission === "" ? Option.none() : knownType(
    type,
    () => compartment === "patient" ? clinicalScope(type, permission) : { kind: "dropped" }
  )
}

const knownType = <A>(type: string, make: (type: string) => A): Option.Option<A> =>
  type === "*" || isFhirType(type) ? Option.some(make(type)) : Option.none()

const clinicalScope = (type: string, permission: string): ReadScope | NotOffered => {
  if (permission === "write") return { kind: "dropped" }
  if (permission === "read" || permission === "*") return reading(`patient/${type}.read`, type, "rs")
  const letters = permission.replaceAll(/[^rs]/g, "")
  return letters === "" ? { kind: "dropped" } : reading(`patient/${type}.${letters}`, type, letters)
}

/**
 * Returns the scopes of a text that the service offers, each once. They may all be scopes that read nothing. Returns
 * None if the text or one of its scopes is malformed (`invalid_scope` of RFC 6749, 4.1.2.1).
 */
export const parseScope = (text: string): Option.Option<ReadonlyArray<SmartScope>> => {
  if (text.length > maxScopeLength) return Option.none()
  return Option.map(
    Option.all(text.split(" ").map(scopeOf)),
    (scopes) => [
      ...new Map(
        scopes.flatMap((scope) => scope.kind === "dropped" ? [] : [[scope.text, scope] as const])
      ).values()
    ]
  )
}

/** Returns the requested scopes that the client is registered for, or None if they are malformed or read nothing. */
export const requestedScope = (
  text: string,
  registered: ReadonlyArray<SmartScope>
): Option.Option<ReadonlyArray<SmartScope>> =>
  parseScope(text).pipe(
    Option.map((scopes) => scopes.filter((scope) => isWithin(scope, registered))),
    Option.filter((scopes) => scopes.some(({ kind }) => kind === "read"))
  )

/** The scopes as they are stored and as responses name them. */
export const scopeText = (scopes: ReadonlyArray<SmartScope>): string => scopes.map(({ text }) => text).join(" ")

const sameCategory = (a: ScopeCategory, b: ScopeCategory) => a.system === b.system && a.code === b.code

const covers = (granted: ReadScope, type: string, category: ScopeCategory | undefined) =>
  (granted.type === "*" || granted.type === type) &&
  (granted.category === undefined || category !== undefined && sameCategory(granted.category, category))

/** Returns true if `others` together allow everything that `scope` allows. */
const isWithin = (scope: SmartScope, others: ReadonlyArray<SmartScope>): boolean =>
  scope.kind === "read"
    ? Array.from(scope.letters).every((letter) =>
      others.some((other) =>
        other.kind === "read" && other.letters.includes(letter) && covers(other, scope.type, scope.category)
      )
    )
    : others.some(({ kind }) => kind === scope.kind)

/** Returns true if a refresh requests no more than was granted (RFC 6749, 6). */
export const isSubset = (scopes: ReadonlyArray<SmartScope>, granted: ReadonlyArray<SmartScope>): boolean =>
  scopes.every((scope) => isWithin(scope, granted))

export const isOffline = (scopes: ReadonlyArray<SmartScope>): boolean => scopes.some(({ kind }) => kind === "offline")

/** The types that the scopes read with any letter, in the order of their first mention. Null means every type. */
export const readTypes = (scopes: ReadonlyArray<SmartScope>): ReadonlyArray<string> | null => {
  const types = [...new Set(scopes.flatMap((scope) => scope.kind === "read" ? [scope.type] : []))]
  return types.includes("*") ? null : types
}

/**
 * Returns the categories of a type that the scopes with `letter` allow: undefined means no category, and null means all
 * items of the type. Scopes add up, so a scope with a category does not limit a scope without one.
 */
export const allowedOf = (
  scopes: ReadonlyArray<SmartScope>,
  type: string,
  letter: ScopeLetter
): ReadonlyArray<ScopeCategory> | null | undefined => {
  const those = scopes.filter((scope) =>
    scope.kind === "read" && scope.letters.includes(letter) && (scope.type === "*" || scope.type === type)
  ) as ReadonlyArray<ReadScope>
  if (those.length === 0) return undefined
  return those.some(({ category }) => category === undefined) ? null : those.map(({ category }) => category!)
}

/** The scopes without the types the veteran deselected. A scope for every type becomes one for each selected type. */
export const narrowedTo = (
  scopes: ReadonlyArray<SmartScope>,
  ticked: ReadonlyArray<string>
): ReadonlyArray<SmartScope> => {
  const kept = new Set(ticked)
  const narrowed = scopes.flatMap((scope): ReadonlyArray<SmartScope> => {
    if (scope.kind !== "read") return [scope]
    if (scope.type !== "*") return kept.has(scope.type) ? [scope] : []
    return ticked.map((type) => ({ ...scope, type, text: ofOneType(scope.text, type) }))
  })
  return [...new Map(narrowed.map((scope) => [scope.text, scope])).values()]
}

const ofOneType = (text: string, type: string) =>
  text === "record:read" ? `record:read:${type}` : text.replace("*", type)
