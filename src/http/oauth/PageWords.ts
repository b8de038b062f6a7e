import { type Language, localeOf } from "../../domain/Language.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import type { GroupName, NamedType } from "../../services/oauth/ConsentKinds.ts"
import type { CategoryName } from "../../services/oauth/ScopeCategories.ts"
import type { Html } from "../../services/platform/Html.ts"
import { english } from "./PageWords.en.ts"
import { spanish } from "./PageWords.es.ts"

/** A page that ends a request: its title and its paragraphs. */
interface Ending {
  readonly title: string
  readonly words: ReadonlyArray<string>
}

/** Every word of the consent pages in one language. The compiler refuses a catalogue that lacks one. */
export interface PageWords {
  /** The language's name, for the link that switches to it. */
  readonly name: string
  readonly error: (title: string) => string
  readonly footer: string
  readonly crisisLine: string
  readonly privacyOf: (app: string) => string
  readonly leave: string
  readonly email: {
    readonly title: (app: string) => string
    readonly why: string
    readonly label: string
    readonly hint: string
    readonly send: string
    readonly back: (place: string) => string
  }
  readonly code: {
    readonly title: string
    readonly sent: (digits: number, minutes: number) => string
    readonly label: (digits: number) => string
    readonly go: string
    readonly again: string
    readonly junk: string
    readonly sendAgain: string
    readonly unseen: (app: string) => string
  }
  readonly consent: {
    readonly title: (app: string) => string
    readonly of: (callSign: Html) => Html
    readonly kinds: string
    readonly groups: Readonly<Record<GroupName, string>>
    readonly types: Readonly<Record<NamedType, string>>
    readonly categories: Readonly<Record<CategoryName, string>>
    readonly only: (categories: string) => string
    readonly details: string
    readonly later: string
    readonly protected: string
    readonly protectedWhy: string
    readonly sensitive: Readonly<Record<SensitiveCategory, string>>
    readonly protectedLimits: string
    readonly howLong: string
    readonly oneHour: (app: string) => string
    readonly days: (days: number) => string
    readonly goodToKnow: string
    readonly consequences: (app: string) => ReadonlyArray<string>
    readonly deny: string
    readonly allow: string
    readonly back: (place: string) => string
  }
  readonly problems: {
    readonly assertion: string
    readonly email: string
    readonly limited: (wait: string) => string
    readonly code: (attemptsLeft: number) => string
    readonly nothing: string
    readonly boxes: string
    readonly days: (choices: string) => string
    readonly decision: string
  }
  readonly endings: {
    readonly unknownApp: Ending
    readonly ended: (minutes: number) => Ending
    readonly foreign: Ending
    readonly full: Ending
    readonly deleting: Ending
    readonly crowded: (wait: string) => Ending
    readonly unavailable: Ending
    readonly broken: Ending
    readonly unreadable: Ending
  }
}

export const pageWords: Readonly<Record<Language, PageWords>> = { en: english, es: spanish }

/** Writes a time to wait: `30 seconds`, `2 minutes`. */
export const timeIn = (language: Language, seconds: number): string => {
  const [amount, unit] = seconds <= 60 ? [seconds, "second"] : [seconds / 60, "minute"]
  return new Intl.NumberFormat(localeOf[language], { style: "unit", unit, unitDisplay: "long" }).format(
    Math.ceil(amount)
  )
}

/** Joins alternatives: `imaging or laboratory`. */
export const eitherIn = (language: Language, choices: Iterable<string>): string =>
  new Intl.ListFormat(localeOf[language], { type: "disjunction" }).format(choices)
