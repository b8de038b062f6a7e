import { wordsOf } from "../language/AppLanguage.ts"
import { english } from "./words/English.ts"

export const [useSharingWords, sharingWords] = wordsOf("sharing", english)

export type { SharingWords } from "./words/English.ts"
