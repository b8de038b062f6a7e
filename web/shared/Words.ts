import type { Problem } from "./Problem.ts"

/** What is said of a problem, and what to do. Nothing says that an error occurred. */
export interface ProblemWords {
  readonly title: string
  readonly text: string
  /** The same may be tried again as it is. */
  readonly again: boolean
}

export const problemWords = ({ error, requestId, retryAfterSeconds }: Problem): ProblemWords => {
  if (error === "rate_limited") {
    return {
      title: "Too many tries",
      text: `There were too many tries from this network. Wait ${waitOf(retryAfterSeconds ?? 60)}, then try again.`,
      again: true
    }
  }
  if (error === "internal_error" && requestId !== undefined) {
    return { ...away, text: `${away.text} If it stays so, tell support this number: ${requestId}` }
  }
  return words[error] ?? away
}

const away = { title: "The service can't be reached", text: "Nothing was lost. Try again in a moment.", again: true }

/** Every code of the contract that a page can meet has its words. */
const words: Readonly<Record<string, ProblemWords>> = {
  unreachable: away,
  service_unavailable: away,
  internal_error: away,
  consent_required: {
    title: "You no longer have access to this record",
    text: "The patient ended this share, or its end date has passed.",
    again: false
  }
}

export const waitOf = (seconds: number) =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} second${seconds === 1 ? "" : "s"}`
