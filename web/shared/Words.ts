import { spokenNow } from "./language/Language.ts"
import type { Problem } from "./Problem.ts"

/** What the pages say about a problem, and what to do. No text has the word "error". */
export interface ProblemWords {
  readonly title: string
  readonly text: string
  /** True if the same request may simply be repeated. */
  readonly again: boolean
}

const repeatable = new Set(["unreachable", "service_unavailable", "internal_error", "request_timeout", "rate_limited",
  "deletion_pending"])

/** The words in the page's language. A code that no contract has counts as a service that is away. */
export const problemWords = (problem: Problem): ProblemWords => {
  const { problems, support } = spokenNow().words
  const error = Object.hasOwn(problems, problem.error) ? problem.error as keyof typeof problems : "unreachable"
  const { text, title } = problems[error]
  // Only an unforeseen problem has a number for support to look up. The other texts say what to do.
  const forSupport = error === "internal_error" && problem.requestId !== undefined ? support(problem.requestId) : ""
  return {
    title,
    text: (typeof text === "string" ? text : text(problem, waitOf)) + forSupport,
    // Nobody waits for hours in front of a page.
    again: repeatable.has(error) && (problem.retryAfterSeconds ?? 0) <= 3_600
  }
}

/** A problem in one sentence after another, for a field. `own` are the words that a part of the page has for some. */
export const problemText = (problem: Problem, own: Readonly<Record<string, string>> = {}) => {
  if (Object.hasOwn(own, problem.error)) return own[problem.error]!
  const { text, title } = problemWords(problem)
  return `${title}. ${text}`
}

/** "1 second", "45 seconds", "2 minutes", "1 hour". */
export const waitOf = (seconds: number) => {
  const { words } = spokenNow()
  return seconds > 5_400
    ? words.hours(Math.ceil(seconds / 3_600))
    : seconds > 90
    ? words.minutes(Math.ceil(seconds / 60))
    : words.seconds(Math.max(1, Math.ceil(seconds)))
}
