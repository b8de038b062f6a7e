import { english as sharedEnglish } from "../../shared/language/English.ts"
import { type Language, speak, type Spoken, useSpoken } from "../../shared/language/Language.ts"
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

let choices = 0

/**
 * The page speaks this language once its words are there, unless another one was chosen meanwhile. Without the words it
 * stays as it is. The choice is not stored.
 */
export const choose = async (language: Language) => {
  const choice = ++choices
  const loaded = await load[language]().catch(() => undefined)
  if (loaded === undefined || choice !== choices) return
  words = loaded.link
  speak(loaded)
}

/** The first of the reader's languages that the page speaks, else English (RFC 4647, 3.4). */
export const preferred = (tags: ReadonlyArray<string>): Language =>
  tags.map((tag) => tag.split("-", 1)[0]!.toLowerCase()).find((tag) => tag === "en" || tag === "es") ?? "en"

/** The words outside a component. */
export const linkWords = () => words

export const useLinkWords = () => {
  useSpoken()
  return linkWords()
}
