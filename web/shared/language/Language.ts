import { useSyncExternalStore } from "react"
import type { Language } from "../../../src/domain/Language.ts"
import type { purposeNames } from "../../../src/domain/ReleaseStatements.ts"
import type { SensitiveCategory } from "../../../src/domain/SensitiveCategory.ts"
import type { FileWords } from "../document/words/English.ts"
import type { RecordWords } from "../record/words/English.ts"
import { type Catalogue, english } from "./English.ts"

/** A language that a page speaks. Only pages for families and strangers bring a second one. */
export interface Spoken {
  readonly language: Language
  /** For dates and numbers (BCP 47). */
  readonly tag: string
  readonly words: Catalogue
  /** The names of types, categories and purposes. Without them, they have their English names. */
  readonly names?: Names | undefined
  /** The words of a record's parts. Without them, a record is shown in English. */
  readonly record?: RecordWords | undefined
  /** The words around a file from outside. Without them, they are English. */
  readonly files?: FileWords | undefined
}

/** The names that several screens list, in a language other than English. */
export interface Names {
  /** By FHIR type. A type that is not in it has its English name. */
  readonly types: Readonly<Record<string, string | readonly [string, ...Array<string>]>>
  readonly categories: Readonly<Record<SensitiveCategory, string>>
  readonly purposes: Readonly<Record<Purpose, string>>
}

type Purpose = keyof typeof purposeNames

let spoken: Spoken = { language: "en", tag: "en-US", words: english }

const listeners = new Set<() => void>()

/** Changes the page's language (WCAG 3.1.1). Every component that uses words is rendered again. */
export const speak = (next: Spoken) => {
  spoken = next
  document.documentElement.lang = next.tag
  for (const changed of listeners) changed()
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => void listeners.delete(changed)
}

/** What the page speaks now, outside a component. */
export const spokenNow = () => spoken

export const useSpoken = () => useSyncExternalStore(subscribe, spokenNow)

export const useWords = () => useSpoken().words

/**
 * Words that only some pages bring in a second language: a hook, and a function for use outside a component. The
 * English ones load with what they are for.
 */
export const wordsIn = <Words>(other: (spoken: Spoken) => Words | undefined, english: Words) => {
  const now = () => other(spoken) ?? english
  const use = () => {
    useSpoken()
    return now()
  }
  return [use, now] as const
}
