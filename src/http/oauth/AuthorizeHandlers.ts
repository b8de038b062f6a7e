import { Effect, Option, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import type { Language } from "../../domain/Language.ts"
import { EmailAddress } from "../../domain/Scalars.ts"
import { isOffline, parseScope, readTypes } from "../../domain/SmartScope.ts"
import type { Parameters } from "../../services/oauth/AuthorizationParameters.ts"
import {
  AuthorizationRequests,
  type BrowserRequest,
  type EndedRequest,
  type OpenRequest,
  type Redirect
} from "../../services/oauth/AuthorizationRequests.ts"
import { groupsOf } from "../../services/oauth/ConsentKinds.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { clientNetwork } from "../wire/ClientAddress.ts"
import { parseForm } from "../wire/FormBody.ts"
import { group } from "../wire/Group.ts"
import { consentPage } from "./ConsentPage.ts"
import { choiceOf, type DecisionFields, firstChoice } from "./DecisionForm.ts"
import { answerOf, type Page } from "./PageFrame.ts"
import { makePageLanguage } from "./PageLanguage.ts"
import { makePageProblem, type Problem } from "./PageProblem.ts"
import { addressOf, codePage, emailPage, type StepName } from "./Pages.ts"
import { deletingPage, endedPage, enoughPage, foreignPage, fullPage, unknownApp } from "./ProblemPages.ts"
import { makeRequestCookie } from "./RequestCookie.ts"

type Request = HttpServerRequest.HttpServerRequest

type Values = ReadonlyArray<string> | undefined

/** A form's fields, each with all the values that were sent. */
type Fields<Name extends string> = { readonly [Key in Name]?: Values }

interface Form<Payload> {
  readonly payload: Payload & Fields<"request">
  readonly request: Request
}

/** Where a form leads: back to the app, or to a page, which tells what happened if something did. */
type Outcome = Redirect | { readonly step: StepName; readonly problem?: Problem; readonly language?: Language }

const soleOf = (values: Values) => values?.length === 1 ? values[0] : undefined

const isEmail = Schema.is(EmailAddress)

/** The e-mail field may contain an identity assertion instead: no e-mail address has the form of a JWT. */
const isJwt = (text: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

const seeOther = (address: string) => HttpServerResponse.redirect(address, { status: 303 })

/** Appends the parameters as text, because `URL` could change the spelling of the app's redirect URI. */
const backToApp = ({ parameters, redirectUri }: Redirect) =>
  seeOther(`${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`)

const scopesOf = ({ scope }: OpenRequest) => Option.getOrElse(parseScope(scope), () => [])

const choiceIn = (problem: Problem | undefined) =>
  problem !== undefined && "choice" in problem ? problem.choice : undefined

/** The page of a step. A veteran who is known sees the consent page, also if they went back to an earlier step. */
const pageAt = (
  wanted: StepName,
  open: OpenRequest,
  { language, problem, request }: {
    readonly request: string
    readonly language: Language
    readonly problem?: Problem | undefined
  }
): Page => {
  if (problem?.is === "full") return fullPage(language)
  if (problem?.is === "deleting") return deletingPage(language)
  if (problem?.is === "enough") return enoughPage(language, problem.wait)
  const { appName, privacyUrl, redirectUri, veteran } = open
  const app = { name: appName, redirectUri, privacyUrl }
  const told = problem?.is === "switched" ? undefined : problem
  const stepOf = (name: StepName) => ({ app, name, request, language, problem: told })
  if (veteran === null) return wanted === "email" ? emailPage(stepOf("email")) : codePage(stepOf("code"))
  const scopes = scopesOf(open)
  const groups = groupsOf(scopes, veteran.resourceTypes)
  return consentPage(stepOf("consent"), {
    callSign: veteran.callSign,
    groups,
    everything: readTypes(scopes) === null,
    offline: isOffline(scopes),
    choice: choiceIn(problem) ?? firstChoice(groups)
  })
}

const stepNamed = (name: string | undefined): StepName => name === "email" || name === "consent" ? name : "code"

const parametersOf = (fields: Readonly<Record<string, Values | string>>): Parameters =>
  new Map(
    Object.entries(fields).map(([name, values]) => [name, typeof values === "string" ? [values] : values ?? []])
  )

/** At each step, the page of a request that has ended says so. */
const orPage = (outcome: Redirect | "full" | "deleting" | "ended"): Outcome =>
  outcome === "full"
    ? { step: "consent", problem: { is: "full" } }
    : outcome === "deleting"
    ? { step: "consent", problem: { is: "deleting" } }
    : outcome === "ended"
    ? { step: "consent" }
    : outcome

export const AuthorizeHandlers = group("authorize", function*(handlers) {
  const requests = yield* AuthorizationRequests
  const cookies = yield* makeRequestCookie
  const languages = yield* makePageLanguage
  const problems = yield* makePageProblem
  const { trustedProxyHops } = yield* Settings

  const browserOf = (request: Request, secret: string, cookie: string): BrowserRequest => ({
    request: secret,
    cookie,
    network: clientNetwork(request, trustedProxyHops)
  })

  const begin = Effect.fnUntraced(function*(
    request: Request,
    parameters: Parameters,
    whenBegun: (browser: BrowserRequest, language: Language) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  ) {
    const cookie = cookies.begin(request)
    const language = languages.of(request)
    const begun = yield* requests.begin(parameters, cookie)
    if (Option.isNone(begun)) return answerOf(unknownApp(language))
    if ("redirectUri" in begun.value) return backToApp(begun.value)
    return cookies.set(cookie)(yield* whenBegun(browserOf(request, begun.value.request, cookie), language))
  })

  const firstPage = Effect.fnUntraced(function*(browser: BrowserRequest, language: Language) {
    const open = yield* requests.look(browser)
    return answerOf(
      open.is === "open" ? pageAt("email", open, { request: browser.request, language }) : endedPage(language)
    )
  })

  /** A page that answers a form would be asked for again by each reload, as a new request. */
  const toFirstPage = ({ request }: BrowserRequest) => Effect.succeed(seeOther(addressOf("email", request)))

  /** Shows a step. It changes nothing, so that a browser may show it again after going back or reloading. */
  const show = Effect.fnUntraced(
    function*({ query, request }: {
      readonly query: Fields<"request" | "step" | "language">
      readonly request: Request
    }) {
      const chosen = languages.known(soleOf(query.language))
      const language = chosen ?? languages.of(request)
      const remember = chosen === undefined ? undefined : languages.set(chosen)
      const cookie = cookies.cookieOf(request)
      if (cookie === undefined) return answerOf(foreignPage(language))
      const browser = browserOf(request, soleOf(query.request) ?? "", cookie)
      const open = yield* requests.look(browser)
      if (open.is !== "open") return answerOf((open.is === "foreign" ? foreignPage : endedPage)(language))
      const problem = problems.of(request, browser.request)
      const page = answerOf(
        pageAt(stepNamed(soleOf(query.step)), open, { request: browser.request, language, problem })
      )
      const told = problem === undefined ? page : problems.clear(page)
      return remember === undefined ? told : remember(told)
    }
  )

  const answerTo = (request: string, outcome: Outcome) => {
    if ("redirectUri" in outcome) return backToApp(outcome)
    const answer = seeOther(addressOf(outcome.step, request))
    const told = outcome.problem === undefined ? answer : problems.set(request, outcome.problem)(answer)
    return outcome.language === undefined ? told : languages.set(outcome.language)(told)
  }

  /**
   * Handles a form, which only the browser that began the request may send. Every answer is a redirect, so that
   * going back or reloading never sends a form again. Finishes even if the client hangs up.
   */
  const step = <Payload extends object>(
    whenOpen: (browser: BrowserRequest, open: OpenRequest, payload: Payload) => Effect.Effect<Outcome>,
    whenEnded: (browser: BrowserRequest, ended: EndedRequest, payload: Payload) => Effect.Effect<Outcome> = () =>
      Effect.succeed({ step: "consent" })
  ) =>
    Effect.fnUntraced(function*({ payload, request }: Form<Payload>) {
      const cookie = cookies.cookieOf(request)
      const foreign = () => answerOf(foreignPage(languages.of(request)))
      if (cookie === undefined || !cookies.isOurs(request)) return foreign()
      const browser = browserOf(request, soleOf(payload.request) ?? "", cookie)
      const open = yield* requests.look(browser)
      if (open.is === "foreign") return foreign()
      return answerTo(
        browser.request,
        yield* open.is === "open" ? whenOpen(browser, open, payload) : whenEnded(browser, open, payload)
      )
    }, Effect.uninterruptible)

  const takeAssertion = Effect.fnUntraced(function*(browser: BrowserRequest, open: OpenRequest, assertion: string) {
    const outcome = yield* requests.vouch(browser, assertion)
    return outcome === "wrong"
      ? { step: open.challenged ? "code" as const : "email" as const, problem: { is: "assertion" as const } }
      : { step: "consent" as const }
  })

  const takeEmail = Effect.fnUntraced(
    function*(browser: BrowserRequest, open: OpenRequest, fields: Fields<"email" | "identityAssertion">) {
      const email = soleOf(fields.email) ?? ""
      const assertion = soleOf(fields.identityAssertion) ?? (isJwt(email) ? email : undefined)
      if (assertion !== undefined) return yield* takeAssertion(browser, open, assertion)
      const same = open.challenged ? "code" as const : "email" as const
      if (!isEmail(email)) return { step: same, problem: { is: "email" as const } }
      const { status, wait } = yield* requests.sendCode(browser, email, open.appName)
      return status === "limited"
        ? { step: same, problem: { is: "limited" as const, wait } }
        : { step: "code" as const }
    }
  )

  const takeCode = Effect.fnUntraced(function*(browser: BrowserRequest, open: OpenRequest, { code }: Fields<"code">) {
    // A veteran who goes back and sends the used code again sees the consent page, not an error.
    if (open.veteran !== null) return { step: "consent" as const }
    const { attemptsLeft, status } = yield* requests.tryCode(browser, soleOf(code) ?? "")
    return status === "wrong"
      ? { step: "code" as const, problem: { is: "code" as const, attemptsLeft } }
      : { step: "consent" as const }
  })

  const takeDecision = Effect.fnUntraced(
    function*(browser: BrowserRequest, open: OpenRequest, fields: Fields<"decision"> & DecisionFields) {
      const decision = soleOf(fields.decision)
      if (decision === "deny") return orPage(yield* requests.deny(browser))
      if (open.veteran === null) return { step: "email" as const }
      const scopes = scopesOf(open)
      const { choice, problem, scope } = choiceOf(fields, scopes, groupsOf(scopes, open.veteran.resourceTypes))
      const language = languages.known(decision)
      if (language !== undefined) {
        return { step: "consent" as const, problem: { is: "switched" as const, choice }, language }
      }
      const mistake = decision === "approve" ? problem : "decision" as const
      if (mistake !== undefined) return { step: "consent" as const, problem: { is: mistake, choice } }
      const { categories, days } = choice
      return yield* requests.approve(browser, { veteranId: open.veteran.id, scope, categories, days }).pipe(
        Effect.map(orPage),
        Effect.catchTag(
          "RateLimited",
          ({ retryAfterSeconds }) =>
            Effect.succeed({ step: "consent" as const, problem: { is: "enough" as const, wait: retryAfterSeconds } })
        )
      )
    }
  )

  const repeatDecision = (
    browser: BrowserRequest,
    { veteranId }: EndedRequest,
    fields: Fields<"decision">
  ): Effect.Effect<Outcome> => {
    const decision = soleOf(fields.decision)
    const language = languages.known(decision)
    return language === undefined
      ? Effect.map(requests.repeat(browser, decision === "approve" ? "granted" : "denied", veteranId), orPage)
      : Effect.succeed({ step: "consent", language })
  }

  return handlers.handleAll({
    ask: Effect.fnUntraced(function*({ request }) {
      const pairs = yield* parseForm(Buffer.from(request.url.split("?").slice(1).join("?")))
      return yield* begin(request, parametersOf(UrlParams.toRecord(pairs)), firstPage)
    }),
    askByForm: ({ payload, request }) => begin(request, parametersOf(payload), toFirstPage),
    show,
    email: step(takeEmail),
    code: step(takeCode),
    decision: step(takeDecision, repeatDecision)
  })
})
