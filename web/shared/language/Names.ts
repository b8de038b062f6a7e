import { typeName } from "../../../src/domain/Completeness.ts"
import { categoryNames, purposeNames } from "../../../src/domain/ReleaseStatements.ts"
import { inWords, wordsFor } from "../../../src/domain/ResourceTypeWords.ts"
import type { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import { spokenNow } from "./Language.ts"

/** The names of a type in a language other than English, or undefined if it has none there. */
const namesOf = (type: string): ReadonlyArray<string> | undefined => {
  const name = spokenNow().names?.types[type]
  return typeof name === "string" ? [name] : name
}

/** "Lab results and vital signs" is one type with two names. */
const oneName = (names: ReadonlyArray<string>) =>
  joined(names.map((name, index) => index === 0 ? name : name.toLowerCase()))

/** "Medications", the plain name of a type in the page's language. */
export const typeWords = (type: string): string => {
  const names = namesOf(type)
  return names === undefined ? wordsFor(type) : oneName(names)
}

/** "Problems", the name of a type as the cards of a record have it. */
export const cardTypeWords = (type: string): string => {
  const names = namesOf(type)
  return names === undefined ? typeName(type) : oneName(names)
}

/** "Allergies, Medications, and Vital signs": several types in one list, each name once. */
export const typesWords = (types: ReadonlyArray<string>): string => {
  const { names, tag } = spokenNow()
  if (names === undefined) return inWords(types)
  return joined(
    [...new Set(types.flatMap((type) => namesOf(type) ?? [wordsFor(type)]))].sort(new Intl.Collator(tag).compare)
  )
}

/** The name of a category as a form has it. */
export const categoryWords = (category: SensitiveCategory): string =>
  (spokenNow().names?.categories ?? categoryNames)[category]

/** The name of a purpose. The purpose of a share may be any text, which stays as it is. */
export const purposeWords = (purpose: string): string => {
  const names: Readonly<Record<string, string>> = spokenNow().names?.purposes ?? purposeNames
  return Object.hasOwn(names, purpose) ? names[purpose]! : purpose
}

/** "A, B, and C", or "A, B y C". */
export const joined = (parts: Iterable<string>): string =>
  new Intl.ListFormat(spokenNow().tag, { type: "conjunction" }).format(parts)

/** "1,400", as the page's language writes it. */
export const numberWords = (count: number): string => count.toLocaleString(spokenNow().tag)
