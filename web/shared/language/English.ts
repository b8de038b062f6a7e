import type { Problem } from "../Problem.ts"

/** A sentence that may depend on the problem. */
type Text = string | ((problem: Problem, wait: (seconds: number) => string) => string)

interface Entry {
  readonly title: string
  readonly text: Text
}

const entry = (title: string, text: Text): Entry => ({ title, text })

/** The page and the service do not understand each other, most often because the page is older. */
const misunderstood = entry(
  "This page may be out of date",
  "The service did not understand it. Load the page again, then try once more."
)

const signedOut = entry("You were signed out", "Sign in again to continue.")

const away = entry("The service can't be reached", "Nothing was lost. Try again in a moment.")

/** The words of the shared parts of our pages, in English, which is the source. No text says that an error occurred. */
export const english = {
  skip: "Skip to main content",
  notVa: "This is not a VA website.",
  loading: "Loading",
  stillWorking: "Still working",
  steps: "Steps",
  stepDone: "(done)",
  tryAgain: "Try again",
  offline: {
    title: "You are offline",
    reason: "You are offline.",
    wait: "This continues when you are connected again.",
    since: (time: string) => `What you see was loaded at ${time}.`
  },
  notShown: "We can't show this here. You can download it.",
  broken: {
    title: "This can't be shown",
    text: "Load the page again. You stay signed in.",
    again: "Load the page again"
  },
  /** How much of a text field is used. */
  letters: {
    count: (count: number) => counted(count, "letter"),
    left: (count: number) => `${counted(count, "letter")} left`,
    tooMany: (count: number) => `${counted(count, "letter")} too many`
  },
  seconds: (count: number) => counted(count, "second"),
  minutes: (count: number) => counted(count, "minute"),
  hours: (count: number) => counted(count, "hour"),
  today: (time: string) => `today, ${time}`,
  support: (id: string) => ` If this happens again, tell support this number: ${id}`,
  /** The words for every code of the contract that a page can meet. `unreachable` is the page's own code. */
  problems: {
    unreachable: away,
    service_unavailable: away,
    internal_error: entry("The service could not do this", "Nothing was lost. Try again in a moment."),
    request_timeout: entry("Your connection is slow", "Not everything arrived. Nothing was lost. Try again."),
    rate_limited: entry(
      "Too many tries",
      ({ retryAfterSeconds = 60 }, wait) => `This was done too often. Wait ${wait(retryAfterSeconds)}, then try again.`
    ),
    invalid_json: misunderstood,
    invalid_request: misunderstood,
    method_not_allowed: misunderstood,
    unsupported_media_type: misunderstood,
    payload_too_large: entry("This is too long", "Nothing was lost. Make it shorter, then try again."),
    unauthenticated: signedOut,
    forbidden: signedOut,
    invalid_credentials: entry("You are not signed in", "The e-mail or the password is not right."),
    provider_disabled: entry("You are not signed in", "This account is turned off. Ask your administrator."),
    google_code_invalid: entry("You are not signed in", "This sign-in has ended. Start again."),
    consent_required: entry(
      "You no longer have access to this record",
      "The patient ended this share, or its end date has passed."
    ),
    storage_full: entry("There is no room just now", "Nothing was saved. Try again later."),
    confirmation_required: entry("Confirm that it is you", "For this step you sign in once more. Then try again."),
    not_confirmed: entry("Nothing was done", "You did not confirm that it is you. Nothing was changed."),
    deletion_pending: entry(
      "Your data is about to be deleted",
      "Until then nothing new is stored or shared. Press “Keep my data” first, then try again."
    ),
    conflict: entry("This can't be added", "There is no room for more. Nothing was lost."),
    not_found: entry("This is not here", "It may have been removed, or the address is not right."),
    link_not_found: entry(
      "We can't find this link",
      "Part of the address may be missing. Open the link again from your e-mail, or scan the QR code again."
    ),
    link_disabled: entry(
      "This link was turned off",
      "The veteran turned it off, or too many wrong codes were tried. Ask the person who gave it to you for a new one."
    ),
    link_expired: entry(
      "This link has ended",
      "Links work for a limited time. Ask the person who gave it to you for a new one."
    ),
    otp_invalid: entry("That code is not right", ({ attemptsLeft }) =>
      attemptsLeft === 0
        ? "That code no longer works. Send a new one."
        : attemptsLeft === undefined
        ? "Check the code in the e-mail."
        : `You have ${attemptsLeft} ${attemptsLeft === 1 ? "try" : "tries"} left.`),
    view_session_used: entry(
      "This document was already opened",
      "Each code opens it once. Get a new code to open it again."
    ),
    view_session_expired: entry(
      "Time ran out",
      "For safety, the document must be opened within 5 minutes of the code. Get a new code."
    )
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type Catalogue = typeof english

function counted(count: number, unit: string) {
  return `${count.toLocaleString("en-US")} ${unit}${count === 1 ? "" : "s"}`
}
