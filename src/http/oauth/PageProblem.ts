import { Effect, Option, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { makePageCookie } from "./RequestCookie.ts"

/** What the veteran chose on the consent page, so that a page that is shown again loses no tick. */
export const Choice = Schema.Struct({
  /** The names of the groups whose boxes are ticked. */
  ticked: Schema.Array(Schema.String),
  categories: Schema.Array(SensitiveCategory),
  days: Schema.Int
})

export type Choice = typeof Choice.Type

/** Why a page is shown again, and which status it then has. The reader who switched the language made no mistake. */
const Problem = Schema.Union([
  Schema.Struct({ is: Schema.Literal("full") }),
  Schema.Struct({ is: Schema.Literal("deleting") }),
  Schema.Struct({ is: Schema.Literals(["assertion", "email"]) }),
  Schema.Struct({ is: Schema.Literal("enough"), wait: Schema.Finite }),
  Schema.Struct({ is: Schema.Literal("limited"), wait: Schema.Finite }),
  Schema.Struct({ is: Schema.Literal("code"), attemptsLeft: Schema.Int }),
  Schema.Struct({ is: Schema.Literals(["nothing", "boxes", "days", "decision"]), choice: Choice }),
  Schema.Struct({ is: Schema.Literal("switched"), choice: Choice })
])

export type Problem = typeof Problem.Type

const Told = Schema.fromJsonString(Schema.Struct({ request: Schema.String, problem: Problem }))

const read = Schema.decodeUnknownOption(Told)

const write = Schema.encodeSync(Told)

/**
 * Carries the problem of a form over the redirect to its page, in a cookie that the page clears. So the page's address
 * stays the same, and going back or reloading shows the page without the problem.
 */
export const makePageProblem = Effect.map(makePageCookie("-problem"), (cookie) => ({
  of: (browser: HttpServerRequest.HttpServerRequest, request: string): Problem | undefined => {
    const told = read(Buffer.from(cookie.of(browser) ?? "", "base64url").toString())
    return Option.isSome(told) && told.value.request === request ? told.value.problem : undefined
  },
  set: (request: string, problem: Problem) =>
    cookie.set(Buffer.from(write({ request, problem })).toString("base64url")),
  clear: cookie.clear
}))
