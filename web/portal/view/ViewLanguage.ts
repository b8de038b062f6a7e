import type { InEachLanguage, Language } from "../../../src/domain/Language.ts"
import { english as sharedEnglish } from "../../shared/language/English.ts"
import { speak, useSpoken } from "../../shared/language/Language.ts"
import { spanish as sharedSpanish } from "../../shared/language/Spanish.ts"
import { english, type ViewWords } from "./words/English.ts"
import { spanish } from "./words/Spanish.ts"

const catalogues: InEachLanguage<ViewWords> = { en: english, es: spanish }

/** The frame speaks the language of the page around it. */
export const followLanguage = (language: Language) =>
  speak(
    language === "es"
      ? { language, tag: "es-US", words: sharedSpanish }
      : { language: "en", tag: "en-US", words: sharedEnglish }
  )

export const useViewWords = () => catalogues[useSpoken().language]
