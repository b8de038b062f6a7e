import { typesWithReader } from "../../clinical/Reading.ts"
import { isFhirType } from "../../domain/FhirType.ts"
import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import { wordsForCategory } from "../../domain/ScopeCategoryWords.ts"
import { allowedOf, narrowedTo, readTypes, type SmartScope } from "../../domain/SmartScope.ts"

export interface Kind {
  readonly type: string
  readonly words: string
  /** The words for the categories that the app is limited to; empty if it asks for the whole kind. */
  readonly categories: ReadonlyArray<string>
}

const categoriesOf = (scopes: ReadonlyArray<SmartScope>, type: string): ReadonlyArray<string> => {
  const allowed = (["r", "s"] as const).map((letter) => allowedOf(scopes, type, letter))
  return allowed.includes(null) ? [] : [...new Set(allowed.flatMap((some) => some ?? []).map(wordsForCategory))]
}

/** If an app requests everything, the consent page shows the types with a reader and those in the veteran's record. */
export const kindsOf = (scopes: ReadonlyArray<SmartScope>, recordTypes: ReadonlyArray<string>): ReadonlyArray<Kind> => {
  const types = readTypes(scopes) ?? [...new Set([...typesWithReader, ...recordTypes.filter(isFhirType)])]
  return types.map((type) => ({ type, words: wordsFor(type), categories: categoriesOf(scopes, type) }))
    .sort((a, b) => a.words < b.words ? -1 : 1)
}

/** Returns the requested scopes if every kind stayed ticked, and otherwise only the scopes of the ticked kinds. */
export const scopesOfTicked = (
  scopes: ReadonlyArray<SmartScope>,
  shown: ReadonlyArray<Kind>,
  ticked: ReadonlyArray<string>
): ReadonlyArray<SmartScope> => shown.every(({ type }) => ticked.includes(type)) ? scopes : narrowedTo(scopes, ticked)
