import { english } from "../../web/shared/language/English.ts"
import { speak } from "../../web/shared/language/Language.ts"
import { spanish } from "../../web/shared/language/Spanish.ts"
import { spanishNames } from "../../web/shared/language/SpanishNames.ts"
import { spanish as record } from "../../web/shared/record/words/Spanish.ts"

/** Runs a test while the page speaks Spanish. There is no page in Node.js, so an object stands for it. */
export const inSpanish = (run: () => void) => {
  Object.assign(globalThis, { document: { documentElement: {} } })
  try {
    speak({ language: "es", tag: "es-US", words: spanish, names: spanishNames, record })
    run()
  } finally {
    speak({ language: "en", tag: "en-US", words: english })
    Reflect.deleteProperty(globalThis, "document")
  }
}
