import type { Language } from "../../../src/domain/Language.ts"
import { speak, type Spoken } from "./Language.ts"

/**
 * Makes the function by which a page changes its language. `load` gets the words, and `take` hears of them just before
 * the page speaks them. Without the words the page stays as it is, and only the latest choice counts. It is not stored.
 */
export const makeChoice = <L extends Spoken>(load: (language: Language) => Promise<L>, take: (loaded: L) => void) => {
  let choices = 0
  return async (language: Language) => {
    const choice = ++choices
    const loaded = await load(language).catch(() => undefined)
    if (loaded === undefined || choice !== choices) return
    take(loaded)
    speak(loaded)
  }
}

/** The first of the reader's languages that the page speaks, else English (RFC 4647, 3.4). */
export const preferred = (tags: ReadonlyArray<string>): Language =>
  tags.map((tag) => tag.split("-", 1)[0]!.toLowerCase()).find((tag) => tag === "en" || tag === "es") ?? "en"
