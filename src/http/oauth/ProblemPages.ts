import { Cause, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { appRequestLimits } from "../../domain/AppRequest.ts"
import type { Language } from "../../domain/Language.ts"
import { html } from "../../services/platform/Html.ts"
import { AnsweredByPage } from "./AuthorizeApi.ts"
import { answerOf, type Page } from "./PageFrame.ts"
import { makePageLanguage } from "./PageLanguage.ts"
import type { PageWords } from "./PageWords.en.ts"
import { pageWords, timeIn } from "./PageWords.ts"

type Endings = PageWords["endings"]

/** Neither echoes input nor has a link: the redirect URI may be unknown. */
const ending = (
  status: number,
  wordsOf: (endings: Endings, language: Language) => { readonly title: string; readonly words: ReadonlyArray<string> }
) =>
(language: Language): Page => {
  const { title, words } = wordsOf(pageWords[language].endings, language)
  return {
    language,
    status,
    title,
    main: html`<h1>${title}</h1><div class="card">${words.map((each) => html`<p>${each}</p>`)}</div>`
  }
}

/** These pages end a request without going back to the app. Each says that nothing was shared, and what to do. */
export const unknownApp = ending(400, ({ unknownApp }) => unknownApp)

/** A browser comes here by going back after the decision, which is no mistake. */
export const endedPage = ending(200, ({ ended }) => ended(appRequestLimits.requestSeconds / 60))

export const foreignPage = ending(403, ({ foreign }) => foreign)

export const fullPage = ending(409, ({ full }) => full)

export const deletingPage = ending(409, ({ deleting }) => deleting)

const crowdedPage = (seconds: number) => (language: Language) => ({
  ...ending(429, ({ crowded }) => crowded(timeIn(language, seconds)))(language),
  retryAfter: seconds
})

/** The veteran connected as many apps as a day may have. */
export const enoughPage = (language: Language, seconds: number) => ({
  ...ending(429, ({ enough }) => enough(timeIn(language, seconds)))(language),
  retryAfter: seconds
})

const unavailable = ending(503, ({ unavailable }) => unavailable)

const broken = ending(500, ({ broken }) => broken)

const unreadable = (status: number) => ending(status, ({ unreadable }) => unreadable)

/** The page for a request that failed before its handler decided anything. */
const pageFor = (cause: Cause.Cause<unknown>): (language: Language) => Page => {
  const { _tag, retryAfterSeconds = 1 } = Cause.squash(cause) as {
    readonly _tag?: string
    readonly retryAfterSeconds?: number
  }
  if (_tag === "RateLimited") return crowdedPage(retryAfterSeconds)
  if (_tag === "ServiceUnavailable" || _tag === "DatabaseUnavailable") return unavailable
  if (Cause.hasDies(cause)) return broken
  return unreadable({ PayloadTooLarge: 413, UnsupportedMediaType: 415, RequestTimeout: 408 }[_tag ?? ""] ?? 400)
}

export const AnsweredByPageLive = Layer.effect(
  AnsweredByPage,
  Effect.map(
    makePageLanguage,
    (languages) => (httpEffect) =>
      Effect.catchCauseIf(httpEffect, (cause) => !Cause.hasInterrupts(cause), (cause) =>
        Effect.map(
          Effect.andThen(
            Cause.hasDies(cause) ? Effect.logError("An app's request: failed", cause) : Effect.void,
            HttpServerRequest.HttpServerRequest
          ),
          (request) => answerOf(pageFor(cause)(languages.of(request)))
        ))
  )
)
