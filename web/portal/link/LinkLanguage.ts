import { makeChoice } from "../../shared/language/Choice.ts"
import { english as sharedEnglish } from "../../shared/language/English.ts"
import { type Language, type Spoken, useSpoken } from "../../shared/language/Language.ts"
import { english, type LinkWords } from "./words/English.ts"

let words: LinkWords = english

interface Loaded extends Spoken {
  readonly link: LinkWords
}

/** Only readers of Spanish load it. */
const load: Readonly<Record<Language, () => Promise<Loaded>>> = {
  en: async () => ({ language: "en", tag: "en-US", words: sharedEnglish, link: english }),
  es: async () => {
    const [shared, link] = await Promise.all([import("../../shared/language/Spanish.ts"), import("./words/Spanish.ts")])
    return { language: "es", tag: "es-US", words: shared.spanish, link: link.spanish }
  }
}

/** Changes the language of the page. */
export const choose = makeChoice((language) => load[language](), ({ link }) => {
  words = link
})

/** The words outside a component. */
export const linkWords = () => words

export const useLinkWords = () => {
  useSpoken()
  return linkWords()
}
