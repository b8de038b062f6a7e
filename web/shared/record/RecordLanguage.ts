import { wordsIn } from "../language/Language.ts"
import { english } from "./words/English.ts"

/** The words of a record's parts. Only the veteran's app brings other words than the English ones. */
export const [useRecordWords, recordWords] = wordsIn(({ record }) => record, english)

/** A label, a status or a flag in the page's language. Other text stays as the source wrote it. */
export const termWords = (text: string): string => recordWords().term(text) ?? text
