import { wordsOf } from "../language/AppLanguage.ts"
import { english } from "./words/English.ts"

export const [useLinkWords, linkWords] = wordsOf("link", english)
