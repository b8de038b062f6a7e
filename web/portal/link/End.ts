import { Problem } from "../../shared/Problem.ts"
import { problemWords } from "../../shared/Words.ts"

/** The contract's error codes after which this link or this one-time code no longer works. */
const ofContract = ["link_not_found", "link_disabled", "link_expired", "view_session_used",
  "view_session_expired"] as const

/** Why there is nothing (more) to read. */
export type End = typeof ofContract[number] | keyof typeof ofPage

/** Returns the `End` for an error code of the contract, or undefined if the recipient can continue. */
export const endOf = (error: string): End | undefined => ofContract.find((end) => end === error)

interface EndWords {
  readonly title: string
  readonly text: string
}

const ofPage = {
  // The page cannot distinguish a reload from an address without a token.
  no_link: {
    title: "Open the link again",
    text: "For the veteran's privacy, this page keeps no link. Open it from your e-mail, or scan the QR code again."
  },
  turned_off_while_open: {
    title: "The veteran turned this link off",
    text: "The document has left this page. If you still need it, ask the person who gave you the link."
  },
  code_ended: {
    title: "That code no longer works",
    text: "A code works once, for 10 minutes and 5 tries. Get a new one."
  },
  download_stopped: {
    title: "The download stopped",
    text: "The connection was lost for too long. Get a new code to start again."
  },
  too_many_downloads: {
    title: "Too many tries",
    text: "There were too many tries from this network. Wait 15 minutes, then get a new code."
  },
  closed: {
    title: "The document is closed",
    text: "This page forgets it when you leave, and after a day. Get a new code to open it again."
  }
} satisfies Readonly<Record<string, EndWords>>

/** A heading, and the next thing to do. */
export const endWords = (end: End): EndWords =>
  Object.hasOwn(ofPage, end) ? ofPage[end as keyof typeof ofPage] : problemWords(Problem.make({ error: end }))

/** True if a new one-time code opens the document again. */
export const leadsOn = (end: End) =>
  !["no_link", "link_not_found", "link_disabled", "link_expired", "turned_off_while_open"].includes(end)

/** Like `endOf`, but with other ends for a document that is already shown. */
export const endWhileOpen = (error: string): End | undefined =>
  error === "link_disabled" ? "turned_off_while_open" : error === "view_session_expired" ? "closed" : endOf(error)
