import { Effect, Option, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import { EmailAddress } from "../../domain/Scalars.ts"
import { isOffline, parseScope, readTypes } from "../../domain/SmartScope.ts"
import type { Parameters } from "../../services/oauth/AuthorizationParameters.ts"
import {
  AuthorizationRequests,
  type BrowserRequest,
  type OpenRequest,
  type Redirect
} from "../../services/oauth/AuthorizationRequests.ts"
import { kindsOf } from "../../services/oauth/ConsentKinds.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { clientNetwork } from "../wire/ClientAddress.ts"
import { parseForm } from "../wire/FormBody.ts"
import { group } from "../wire/Group.ts"
import { choiceOf, type DecisionFields, firstChoice } from "./DecisionForm.ts"
import { answerOf, type Page } from "./PageFrame.ts"
import { codePage, consentPage, emailPage, type Step } from "./Pages.ts"
import { endedPage, foreignPage, fullPage, timeOf, unknownApp } from "./ProblemPages.ts"
import { makeRequestCookie } from "./RequestCookie.ts"

type Request = HttpServerRequest.HttpServerRequest

type Values = ReadonlyArray<string> | undefined

/** A form's fields, each with all the values that were sent. */
type Fields<Name extends string> = { readonly [Key in Name]?: Values }

interface Form<Payload> {
  readonly payload: Payload & Fields<"request">
  readonly request: Request
}

type Answer = Effect.Effect<Page | Redirect>

const soleOf = (values: Values) => values?.length === 1 ? values[0] : undefined

const isEmail = Schema.is(EmailAddress)

/** The e-mail field may contain an identity assertion instead: no e-mail address has the form of a JWT. */
const isJwt = (text: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

/** Appends the parameters as text, because `URL` could change the spelling of the app's redirect URI. */
const responseOf = (answer: Page | Redirect) => {
  if (!("redirectUri" in answer)) return answerOf(answer)
  const { parameters, redirectUri } = answer
  return HttpServerResponse.redirect(
    `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`,
    { status: 303 }
  )
}

const stepOf = (
  { appName, privacyUrl, redirectUri }: Pick<OpenRequest, "appName" | "privacyUrl" | "redirectUri">,
  { request }: BrowserRequest,
  problem?: Step["problem"]
): Step => ({ app: { name: appName, redirectUri, privacyUrl }, request, problem })

const scopesOf = ({ scope }: OpenRequest) => Option.getOrElse(parseScope(scope), () => [])

const consentOf = (
  open: OpenRequest,
  veteran: NonNullable<OpenRequest["veteran"]>,
  browser: BrowserRequest,
  chosen?: ReturnType<typeof choiceOf>
) => {
  const scopes = scopesOf(open)
  const kinds = kindsOf(scopes, veteran.resourceTypes)
  const { categories, days, ticked } = chosen?.choice ?? firstChoice(kinds)
  const problem = chosen?.problem === undefined ? undefined : badRequest(chosen.problem)
  return consentPage(stepOf(open, browser, problem), {
    callSign: veteran.callSign,
    kinds: kinds.map(({ categories, type, words }) => ({
      type,
      words,
      only: categories.length === 0 ? undefined : `Only what is marked ${categories.join(" or ")}`,
      ticked: ticked.includes(type)
    })),
    everything: readTypes(scopes) === null,
    categories,
    days: isOffline(scopes) ? days : null
  })
}

const badRequest = (words: string) => ({ status: 400, words })

const wrongCode = (attemptsLeft: number) =>
  `This code is wrong or too old. You have ${attemptsLeft} ${attemptsLeft === 1 ? "try" : "tries"} left.`

const parametersOf = (fields: Readonly<Record<string, Values | string>>): Parameters =>
  new Map(
    Object.entries(fields).map(([name, values]) => [name, typeof values === "string" ? [values] : values ?? []])
  )

const orPage = (outcome: Redirect | "full" | "ended"): Page | Redirect =>
  outcome === "full" ? fullPage : outcome === "ended" ? endedPage : outcome

export const AuthorizeHandlers = group(
  "authorize",
  Effect.fn(function*(handlers) {
    const requests = yield* AuthorizationRequests
    const cookies = yield* makeRequestCookie
    const { trustedProxyHops } = yield* Settings

    const browserOf = (request: Request, secret: string, cookie: string): BrowserRequest => ({
      request: secret,
      cookie,
      network: clientNetwork(request, trustedProxyHops)
    })

    const begin = Effect.fnUntraced(function*(request: Request, parameters: Parameters) {
      const cookie = cookies.begin(request)
      const begun = yield* requests.begin(parameters, cookie)
      if (Option.isNone(begun)) return answerOf(unknownApp)
      if ("redirectUri" in begun.value) return responseOf(begun.value)
      const browser = browserOf(request, begun.value.request, cookie)
      const open = yield* requests.look(browser)
      return cookies.set(cookie)(answerOf(open.is === "open" ? emailPage(stepOf(open, browser)) : endedPage))
    })

    /** Handles a form, which only the browser that began the request may send. Finishes even if the client hangs up. */
    const step = <Payload extends object>(
      whenOpen: (browser: BrowserRequest, open: OpenRequest, payload: Payload) => Answer,
      whenEnded: (browser: BrowserRequest, payload: Payload) => Answer = () => Effect.succeed(endedPage)
    ) =>
      Effect.fnUntraced(function*({ payload, request }: Form<Payload>) {
        const cookie = cookies.cookieOf(request)
        if (cookie === undefined || !cookies.isOurs(request)) return answerOf(foreignPage)
        const browser = browserOf(request, soleOf(payload.request) ?? "", cookie)
        const open = yield* requests.look(browser)
        if (open.is === "foreign") return answerOf(foreignPage)
        return responseOf(yield* open.is === "open" ? whenOpen(browser, open, payload) : whenEnded(browser, payload))
      }, Effect.uninterruptible)

    /** The consent page for a veteran who has just been identified, or the page that is made by `otherwise`. */
    const consentOr = Effect.fnUntraced(function*(browser: BrowserRequest, isRight: boolean, otherwise: () => Page) {
      const open = isRight ? yield* requests.look(browser) : undefined
      return open?.is === "open" && open.veteran !== null ? consentOf(open, open.veteran, browser) : otherwise()
    })

    const takeAssertion = Effect.fnUntraced(function*(browser: BrowserRequest, open: OpenRequest, assertion: string) {
      const outcome = yield* requests.vouch(browser, assertion)
      if (outcome === "ended") return endedPage
      const problem = badRequest("Your app could not say who you are. Type your e-mail address.")
      return yield* consentOr(browser, outcome === "right", () => emailPage(stepOf(open, browser, problem)))
    })

    const takeEmail = Effect.fnUntraced(
      function*(browser: BrowserRequest, open: OpenRequest, fields: Fields<"email" | "identityAssertion">) {
        const email = soleOf(fields.email) ?? ""
        const assertion = soleOf(fields.identityAssertion) ?? (isJwt(email) ? email : undefined)
        if (assertion !== undefined) return yield* takeAssertion(browser, open, assertion)
        const problem = badRequest("Type your e-mail address, such as name@example.org.")
        if (!isEmail(email)) return emailPage(stepOf(open, browser, problem))
        const { status, wait } = yield* requests.sendCode(browser, email, open.appName)
        if (status === "ended") return endedPage
        if (status === "active") return codePage(stepOf(open, browser))
        const words = `No more codes can be sent just now. Wait ${timeOf(wait)}.`
        const page = (open.challenged ? codePage : emailPage)(stepOf(open, browser, { status: 429, words }))
        return { ...page, retryAfter: Math.max(1, Math.ceil(wait)) }
      }
    )

    const takeCode = Effect.fnUntraced(function*(browser: BrowserRequest, open: OpenRequest, { code }: Fields<"code">) {
      // A veteran who goes back and sends the used code again sees the consent page, not an error.
      if (open.veteran !== null) return consentOf(open, open.veteran, browser)
      const { attemptsLeft, status } = yield* requests.tryCode(browser, soleOf(code) ?? "")
      if (status === "ended") return endedPage
      const problem = badRequest(wrongCode(attemptsLeft))
      return yield* consentOr(browser, status === "right", () => codePage(stepOf(open, browser, problem)))
    })

    const takeDecision = Effect.fnUntraced(
      function*(browser: BrowserRequest, open: OpenRequest, fields: Fields<"decision"> & DecisionFields) {
        const decision = soleOf(fields.decision)
        if (decision === "deny") return orPage(yield* requests.deny(browser))
        if (open.veteran === null) return emailPage(stepOf(open, browser))
        const chosen = choiceOf(fields, scopesOf(open), kindsOf(scopesOf(open), open.veteran.resourceTypes))
        const problem = decision === "approve" ? chosen.problem : "Choose Allow or Do not allow."
        if (problem !== undefined) return consentOf(open, open.veteran, browser, { ...chosen, problem })
        const { categories, days } = chosen.choice
        return orPage(yield* requests.approve(browser, { scope: chosen.scope, categories, days }))
      }
    )

    const repeatDecision = (browser: BrowserRequest, { decision }: Fields<"decision">) =>
      Effect.map(requests.repeat(browser, soleOf(decision) === "approve" ? "granted" : "denied"), orPage)

    return handlers.handleAll({
      ask: Effect.fnUntraced(function*({ request }) {
        const pairs = yield* parseForm(Buffer.from(request.url.split("?").slice(1).join("?")))
        return yield* begin(request, parametersOf(UrlParams.toRecord(pairs)))
      }),
      askByForm: ({ payload, request }) => begin(request, parametersOf(payload)),
      email: step(takeEmail),
      code: step(takeCode),
      decision: step(takeDecision, repeatDecision)
    })
  })
)
