import { Cause, Effect, Layer } from "effect"
import { AnsweredByPage } from "./AuthorizeApi.ts"
import { answerOf, type Page } from "./PageFrame.ts"
import { problemPage } from "./Pages.ts"

/** Ends of a request that lead to no app. Each says that nothing was shared, and what may be done. */
export const unknownApp = problemPage(
  400,
  "We do not know this app",
  "The app that sent you here is not registered with us, or the address to which it wants to go back is not.",
  "Nothing was shared. Close this page, and tell the makers of the app."
)

export const overPage = problemPage(
  400,
  "This request is over",
  "Ten minutes have passed, it was answered already, or too many wrong codes were entered.",
  "Go back to the app and connect once more if you still want to."
)

export const foreignPage = problemPage(
  403,
  "This request began somewhere else",
  "A request goes on only in the browser in which it began, from our own pages. Nothing was shared.",
  "Go back to the app and connect once more. If your browser keeps no cookies, allow them for this site."
)

export const fullPage = problemPage(
  409,
  "There are too many connections",
  "You let as many apps and providers read your records as is possible, or this app as many times. Nothing was shared.",
  "End one of them first: in the app where your records are kept, on the Consent tab. Then connect once more."
)

export const minutesOf = (seconds: number) =>
  seconds <= 60 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`

const crowdedPage = (retryAfter: number) => ({
  ...problemPage(
    429,
    "Too many tries",
    `Wait ${minutesOf(retryAfter)}, then go back and try again. Nothing was shared.`
  ),
  retryAfter
})

const unavailable = problemPage(
  503,
  "We cannot answer just now",
  "Something that we need is out of reach. Nothing was shared.",
  "Wait a moment, then go back and try again."
)

const broken = problemPage(
  500,
  "Something went wrong on our side",
  "Nothing was shared. Go back to the app and connect once more."
)

const unreadable = (status: number) =>
  problemPage(
    status,
    "This request cannot be read",
    "What your browser sent is not what our pages send. Nothing was shared."
  )

/** What went wrong before a handler decided anything, as a page. */
const pageFor = (cause: Cause.Cause<unknown>): Page => {
  const { _tag, retryAfterSeconds = 1 } = Cause.squash(cause) as {
    readonly _tag?: string
    readonly retryAfterSeconds?: number
  }
  if (_tag === "RateLimited") return crowdedPage(retryAfterSeconds)
  if (_tag === "ServiceUnavailable" || _tag === "DatabaseUnavailable") return unavailable
  if (Cause.hasDies(cause)) return broken
  return unreadable({ PayloadTooLarge: 413, UnsupportedMediaType: 415, RequestTimeout: 408 }[_tag ?? ""] ?? 400)
}

export const AnsweredByPageLive = Layer.succeed(
  AnsweredByPage,
  (httpEffect) =>
    Effect.catchCauseIf(httpEffect, (cause) => !Cause.hasInterrupts(cause), (cause) =>
      Effect.as(
        Cause.hasDies(cause) ? Effect.logError("An app's request: failed", cause) : Effect.void,
        answerOf(pageFor(cause))
      ))
)
