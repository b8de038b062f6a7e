/** Why there is nothing (more) to read: one heading, and one sentence or two that say what to do. */
interface EndWords {
  readonly title: string
  readonly text: string
  /** A new code leads to the document again. */
  readonly again?: true
}

const ends = {
  // A reload, and an address without its end, look alike.
  no_link: {
    title: "Open the link again",
    text: "For the veteran's privacy, this page keeps no link. Open it again from your e-mail, or scan the QR code again."
  },
  link_not_found: {
    title: "We can't find this link",
    text: "Part of the address may be missing. Open the link again from your e-mail, or scan the QR code again."
  },
  link_disabled: {
    title: "This link was turned off",
    text: "The veteran turned it off, or too many wrong codes were tried. Ask the person who gave it to you for a new one."
  },
  link_expired: {
    title: "This link has ended",
    text: "Links work for a limited time. Ask the person who gave it to you for a new one."
  },
  turned_off_while_open: {
    title: "The veteran turned this link off",
    text: "The document has left this page. If you still need it, ask the person who gave you the link."
  },
  code_ended: {
    title: "That code no longer works",
    text: "A code works for 10 minutes, once, and for 5 tries. Get a new one.",
    again: true
  },
  view_session_used: {
    title: "This document was already opened",
    text: "Each code opens it once. Get a new code to open it again.",
    again: true
  },
  view_session_expired: {
    title: "Time ran out",
    text: "For safety, the document must be opened within 5 minutes of the code. Get a new code.",
    again: true
  },
  download_stopped: {
    title: "The download stopped",
    text: "The connection was lost for too long. Get a new code to start again.",
    again: true
  },
  left: {
    title: "The document is closed",
    text: "This page forgets the document when you leave it. Get a new code to open it again.",
    again: true
  }
} as const satisfies Readonly<Record<string, EndWords>>

export type End = keyof typeof ends

export const endWords = (end: End): EndWords => ends[end]

const ofContract = ["link_not_found", "link_disabled", "link_expired", "view_session_used", "view_session_expired"] as const

/** The end that a code of the contract means, if it means one. */
export const endOf = (error: string): End | undefined => ofContract.find((end) => end === error)
