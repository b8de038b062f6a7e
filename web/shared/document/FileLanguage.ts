import { spokenNow, useSpoken } from "../language/Language.ts"
import { english } from "./words/English.ts"

/** The words around a file. Only the veteran's app brings other words than the English ones. */
export const fileWords = () => spokenNow().files ?? english

export const useFileWords = () => {
  useSpoken()
  return fileWords()
}
