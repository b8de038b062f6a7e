import { Problem } from "../../shared/Problem.ts"
import { problemWords } from "../../shared/Words.ts"
import { linkWords } from "./LinkLanguage.ts"
import type { LinkWords } from "./words/English.ts"

/** The contract's error codes after which this link or this one-time code no longer works. */
const ofContract = ["link_not_found", "link_disabled", "link_expired", "view_session_used",
  "view_session_expired"] as const

/** Why there is nothing (more) to read. */
export type End = typeof ofContract[number] | keyof LinkWords["ends"]

/** Returns the `End` for an error code of the contract, or undefined if the recipient can continue. */
export const endOf = (error: string): End | undefined => ofContract.find((end) => end === error)

/** A heading, and what to do. */
export const endWords = (end: End): { readonly title: string; readonly text: string } => {
  const { ends } = linkWords()
  return Object.hasOwn(ends, end) ? ends[end as keyof typeof ends] : problemWords(Problem.make({ error: end }))
}

/** True if a new one-time code opens the document again. */
export const leadsOn = (end: End) =>
  !["no_link", "link_not_found", "link_disabled", "link_expired", "turned_off_while_open"].includes(end)

/** Like `endOf`, but with other ends for a document that is already shown. */
export const endWhileOpen = (error: string): End | undefined =>
  error === "link_disabled" ? "turned_off_while_open" : error === "view_session_expired" ? "closed" : endOf(error)
