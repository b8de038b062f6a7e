import { Cause, Effect, Layer } from "effect"
import { appRequestLimits } from "../../domain/AppRequest.ts"
import { consentTab } from "../../domain/ConsentTab.ts"
import { AnsweredByPage } from "./AuthorizeApi.ts"
import { answerOf, type Page } from "./PageFrame.ts"
import { problemPage } from "./Pages.ts"

/** These pages end a request without going back to the app. All but `endedPage` also say that nothing was shared. */
export const unknownApp = problemPage(
  400,
  "We do not know this app",
  "The app that sent you here is not registered with us, or it wants you to go back to an address that is not.",
  "Nothing was shared. Close this page and tell the makers of the app."
)

export const endedPage = problemPage(
  400,
  "This request has ended",
  `More than ${
    appRequestLimits.requestSeconds / 60
  } minutes have passed, you have answered already, or too many wrong codes were entered.`,
  "Go back to the app and connect again if you still want to."
)

export const foreignPage = problemPage(
  403,
  "This request began somewhere else",
  "You can answer a request only on our own pages, in the browser in which it began. Nothing was shared.",
  "Go back to the app and connect again. If your browser blocks cookies, allow them for this site."
)

export const fullPage = problemPage(
  409,
  "There are too many connections",
  "You already share with as many apps and providers as possible, or with this app as many times. Nothing was shared.",
  `End one of them first, on ${consentTab}. Then connect again.`
)

export const timeOf = (seconds: number) =>
  seconds <= 60 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`

const crowdedPage = (retryAfter: number) => ({
  ...problemPage(
    429,
    "Too many tries",
    `Wait ${timeOf(retryAfter)}, then go back and try again. Nothing was shared.`
  ),
  retryAfter
})

const unavailable = problemPage(
  503,
  "We cannot answer just now",
  "Something that our service needs does not answer. Nothing was shared.",
  "Wait a moment, then go back and try again."
)

const broken = problemPage(
  500,
  "Something went wrong on our side",
  "Nothing was shared. Go back to the app and connect again."
)

const unreadable = (status: number) =>
  problemPage(
    status,
    "This request cannot be read",
    "What your browser sent is not what our pages send. Nothing was shared."
  )

/** The page for a request that was refused before its handler ran, or whose handler failed. */
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
