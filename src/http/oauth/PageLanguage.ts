import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import Negotiator from "negotiator"
import { type Language, languages } from "../../domain/Language.ts"
import { makePageCookie } from "./RequestCookie.ts"

const known = (name: string | undefined) => languages.find((language) => language === name)

/** The language of a page: the one that the reader chose on the page, or else the first that the browser asks for. */
export const makePageLanguage = Effect.map(makePageCookie("-language"), (cookie) => ({
  known,
  of: (request: HttpServerRequest.HttpServerRequest): Language =>
    known(cookie.of(request)) ?? known(new Negotiator(request).languages([...languages])[0]) ?? "en",
  /** Remembers the choice as long as the request lives. */
  set: (language: Language) => cookie.set(language)
}))
