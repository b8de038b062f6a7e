import type { Problem } from "../../shared/Problem.ts"
import { problemText } from "../../shared/Words.ts"
import { wordsOf } from "../language/AppLanguage.ts"
import { english } from "./words/English.ts"

export const [useConnectWords, connectWords] = wordsOf("connect", english)

/** Why a sign-in at the VA failed. */
export const connectText = (problem: Problem) => problemText(problem, connectWords().problems)
