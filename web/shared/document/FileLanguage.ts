import { wordsIn } from "../language/Language.ts"
import { english } from "./words/English.ts"

/** The words around a file. Only the veteran's app brings other words than the English ones. */
export const [useFileWords, fileWords] = wordsIn(({ files }) => files, english)
