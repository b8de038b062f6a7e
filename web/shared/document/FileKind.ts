import { fileWords } from "./FileLanguage.ts"

/** The kind of a file, in words. */
export const fileKindWords = (contentType: string) => {
  const { file, kinds } = fileWords()
  return Object.hasOwn(kinds, contentType) ? kinds[contentType as keyof typeof kinds] : file
}
