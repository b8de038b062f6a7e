import type { InEachLanguage } from "../../../src/domain/Language.ts"
import { makeChoice } from "../../shared/language/Choice.ts"
import { english as sharedEnglish } from "../../shared/language/English.ts"
import { type Spoken, wordsIn } from "../../shared/language/Language.ts"
import { english, type LinkWords } from "./words/English.ts"

let words: LinkWords = english

interface Loaded extends Spoken {
  readonly link: LinkWords
}

/** Only readers of Spanish load it. */
const load: InEachLanguage<() => Promise<Loaded>> = {
  en: async () => ({ language: "en", tag: "en-US", words: sharedEnglish, link: english }),
  es: async () => {
    const [shared, link] = await Promise.all([import("../../shared/language/Spanish.ts"), import("./words/Spanish.ts")])
    return { language: "es", tag: "es-US", words: shared.spanish, link: link.spanish }
  }
}

/** Changes the language of the page. */
export const chooseLinkLanguage = makeChoice((language) => load[language](), ({ link }) => {
  words = link
})

export const [useLinkWords, linkWords] = wordsIn(() => words, english)
