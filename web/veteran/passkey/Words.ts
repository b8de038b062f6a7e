import type { Problem } from "../../shared/Problem.ts"
import { problemText } from "../../shared/Words.ts"
import { wordsOf } from "../language/AppLanguage.ts"
import { english } from "./words/English.ts"

export const [usePasskeyWords, passkeyWords] = wordsOf("passkey", english)

/** Why a step with a passkey failed. @returns undefined if the veteran closed the browser's question. */
export const passkeyText = (problem: Problem) => {
  const { problems, unknown } = passkeyWords()
  if (problem.error === "passkey_cancelled") return undefined
  if (problem.error === "invalid_passkey") return unknown
  return problemText(problem, problems)
}
