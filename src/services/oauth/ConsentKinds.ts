import { typesWithReader } from "../../clinical/Reading.ts"
import { isFhirType } from "../../domain/FhirType.ts"
import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import { wordsForCategory } from "../../domain/ScopeCategoryWords.ts"
import { allowedOf, narrowedTo, readTypes, type SmartScope } from "../../domain/SmartScope.ts"

/** A kind of information that an app asks for. */
export interface Kind {
  readonly type: string
  readonly words: string
  /** The words for the categories that it is limited to; none where all of the kind is asked for. */
  readonly categories: ReadonlyArray<string>
}

const categoriesOf = (scopes: ReadonlyArray<SmartScope>, type: string): ReadonlyArray<string> => {
  const allowed = (["r", "s"] as const).map((letter) => allowedOf(scopes, type, letter))
  return allowed.includes(null) ? [] : [...new Set(allowed.flatMap((some) => some ?? []).map(wordsForCategory))]
}

/**
 * What is shown for the scopes. Who asks for everything is shown as the kinds that we have words and screens for, with those that the
 * veteran's record has besides.
 */
export const kindsOf = (scopes: ReadonlyArray<SmartScope>, recordTypes: ReadonlyArray<string>): ReadonlyArray<Kind> => {
  const types = readTypes(scopes) ?? [...new Set([...typesWithReader, ...recordTypes.filter(isFhirType)])]
  return types.map((type) => ({ type, words: wordsFor(type), categories: categoriesOf(scopes, type) }))
    .sort((a, b) => a.words < b.words ? -1 : 1)
}

/** The scopes as they were asked for where every kind that was shown stayed ticked, and else those of the ticked kinds alone. */
export const scopesOfTicked = (
  scopes: ReadonlyArray<SmartScope>,
  shown: ReadonlyArray<Kind>,
  ticked: ReadonlyArray<string>
): ReadonlyArray<SmartScope> => shown.every(({ type }) => ticked.includes(type)) ? scopes : narrowedTo(scopes, ticked)
