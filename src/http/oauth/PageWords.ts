import { type InEachLanguage, type Language, localeOf } from "../../domain/Language.ts"
import { english, type PageWords } from "./PageWords.en.ts"
import { spanish } from "./PageWords.es.ts"

export const pageWords: InEachLanguage<PageWords> = { en: english, es: spanish }

/** Writes a time to wait: `30 seconds`, `2 minutes`, `5 hours`. */
export const timeIn = (language: Language, seconds: number): string => {
  const [amount, unit] = seconds <= 60
    ? [seconds, "second"]
    : seconds <= 5_400
    ? [seconds / 60, "minute"]
    : [seconds / 3_600, "hour"]
  return new Intl.NumberFormat(localeOf[language], { style: "unit", unit, unitDisplay: "long" }).format(
    Math.ceil(amount)
  )
}

/** Joins alternatives: `imaging or laboratory`. */
export const eitherIn = (language: Language, choices: Iterable<string>): string =>
  new Intl.ListFormat(localeOf[language], { type: "disjunction" }).format(choices)
