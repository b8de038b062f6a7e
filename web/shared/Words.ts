import type { Problem } from "./Problem.ts"

/** What the pages say about a problem, and what to do. No text has the word "error". */
export interface ProblemWords {
  readonly title: string
  readonly text: string
  /** True if the same request may simply be repeated. */
  readonly again: boolean
}

export const problemWords = (problem: Problem): ProblemWords => {
  const entry = Object.hasOwn(words, problem.error) ? words[problem.error]! : away
  const text = typeof entry.text === "string" ? entry.text : entry.text(problem)
  // Only an unforeseen problem has a number for support to look up. The other texts say what to do.
  const forSupport = entry === own && problem.requestId !== undefined
    ? ` If this happens again, tell support this number: ${problem.requestId}`
    : ""
  return { ...entry, text: text + forSupport }
}

interface Words extends Omit<ProblemWords, "text"> {
  readonly text: string | ((problem: Problem) => string)
}

const away: Words = {
  title: "The service can't be reached",
  text: "Nothing was lost. Try again in a moment.",
  again: true
}

const own: Words = {
  title: "The service could not do this",
  text: "Nothing was lost. Try again in a moment.",
  again: true
}

/** The page and the service do not understand each other, most often because the page is older than the service. */
const misunderstood: Words = {
  title: "This page may be out of date",
  text: "The service did not understand it. Load the page again, then try once more.",
  again: false
}

const signedOut: Words = {
  title: "You were signed out",
  text: "Sign in again to continue.",
  again: false
}

/** The words for every code of the contract that a page can meet. `unreachable` is the page's own code. */
const words: Readonly<Record<string, Words>> = {
  unreachable: away,
  service_unavailable: away,
  internal_error: own,
  request_timeout: {
    title: "Your connection is slow",
    text: "Not everything arrived. Nothing was lost. Try again.",
    again: true
  },
  rate_limited: {
    title: "Too many tries",
    text: ({ retryAfterSeconds = 60 }) =>
      `There were too many tries from this network. Wait ${waitOf(retryAfterSeconds)}, then try again.`,
    again: true
  },
  invalid_json: misunderstood,
  invalid_request: misunderstood,
  method_not_allowed: misunderstood,
  unsupported_media_type: misunderstood,
  payload_too_large: {
    title: "This is too long",
    text: "Nothing was lost. Make it shorter, then try again.",
    again: false
  },
  unauthenticated: signedOut,
  forbidden: signedOut,
  invalid_credentials: {
    title: "You are not signed in",
    text: "The e-mail or the password is not right.",
    again: false
  },
  provider_disabled: {
    title: "You are not signed in",
    text: "This account is turned off. Ask your administrator.",
    again: false
  },
  google_code_invalid: {
    title: "You are not signed in",
    text: "This sign-in has ended. Start again.",
    again: false
  },
  consent_required: {
    title: "You no longer have access to this record",
    text: "The patient ended this share, or its end date has passed.",
    again: false
  },
  conflict: {
    title: "This can't be added",
    text: "There is no room for more. Nothing was lost.",
    again: false
  },
  not_found: {
    title: "This is not here",
    text: "It may have been removed, or the address is not right.",
    again: false
  },
  link_not_found: {
    title: "We can't find this link",
    text: "Part of the address may be missing. Open the link again from your e-mail, or scan the QR code again.",
    again: false
  },
  link_disabled: {
    title: "This link was turned off",
    text:
      "The veteran turned it off, or too many wrong codes were tried. Ask the person who gave it to you for a new one.",
    again: false
  },
  link_expired: {
    title: "This link has ended",
    text: "Links work for a limited time. Ask the person who gave it to you for a new one.",
    again: false
  },
  otp_invalid: {
    title: "That code is not right",
    text: ({ attemptsLeft }) =>
      attemptsLeft === 0
        ? "That code no longer works. Send a new one."
        : attemptsLeft === undefined
        ? "Check the code in the e-mail."
        : `You have ${attemptsLeft} ${attemptsLeft === 1 ? "try" : "tries"} left.`,
    again: false
  },
  view_session_used: {
    title: "This document was already opened",
    text: "Each code opens it once. Get a new code to open it again.",
    again: false
  },
  view_session_expired: {
    title: "Time ran out",
    text: "For safety, the document must be opened within 5 minutes of the code. Get a new code.",
    again: false
  }
}

/** "1 second", "45 seconds", "2 minutes", "1 hour". */
export const waitOf = (seconds: number) =>
  seconds > 5_400
    ? counted(Math.ceil(seconds / 3_600), "hour")
    : seconds > 90
    ? counted(Math.ceil(seconds / 60), "minute")
    : counted(Math.max(1, Math.ceil(seconds)), "second")

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`
