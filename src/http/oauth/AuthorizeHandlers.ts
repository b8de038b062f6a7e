import { Effect, Option, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import { EmailAddress } from "../../domain/Scalars.ts"
import { isOffline, parseScope, readTypes } from "../../domain/SmartScope.ts"
import type { Parameters } from "../../services/oauth/AskedParameters.ts"
import { kindsOf } from "../../services/oauth/ConsentKinds.ts"
import { type Back, type Open, Requests, type Sent } from "../../services/oauth/Requests.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { clientNetwork } from "../wire/ClientAddress.ts"
import { parseForm } from "../wire/FormBody.ts"
import { group } from "../wire/Group.ts"
import { choiceOf, firstChoice } from "./DecisionForm.ts"
import { answerOf, type Page } from "./PageFrame.ts"
import { codePage, consentPage, emailPage, type Step } from "./Pages.ts"
import { foreignPage, fullPage, minutesOf, overPage, unknownApp } from "./ProblemPages.ts"
import { makeRequestCookie } from "./RequestCookie.ts"

type Values = ReadonlyArray<string> | undefined

const soleOf = (values: Values) => values?.length === 1 ? values[0] : undefined

const isEmail = Schema.is(EmailAddress)

/** An identity assertion stands in the place of an address, which has no form of a JWT. */
const isJwt = (text: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)

/** By text: as a URL the app's address might be spelled anew. */
const goBack = ({ parameters, redirectUri }: Back) =>
  HttpServerResponse.redirect(
    `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters)}`,
    { status: 303 }
  )

const stepOf = (
  { appName, privacyUrl, redirectUri }: Pick<Open, "appName" | "privacyUrl" | "redirectUri">,
  { request }: Sent,
  problem?: Step["problem"]
): Step => ({ app: { name: appName, redirectUri, privacyUrl }, request, problem })

const scopesOf = ({ scope }: Open) => Option.getOrElse(parseScope(scope), () => [])

/** The consent page, with what is chosen so far. */
const consentOf = (
  open: Open,
  veteran: NonNullable<Open["veteran"]>,
  sent: Sent,
  chosen?: ReturnType<typeof choiceOf>
) => {
  const scopes = scopesOf(open)
  const kinds = kindsOf(scopes, veteran.resourceTypes)
  const { categories, days, ticked } = chosen?.choice ?? firstChoice(kinds)
  const problem = chosen?.problem === undefined ? undefined : { status: 400, words: chosen.problem }
  return consentPage(stepOf(open, sent, problem), {
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

const wrongCode = (attemptsLeft: number) =>
  `This code is wrong, or it is over. You have ${attemptsLeft} ${attemptsLeft === 1 ? "try" : "tries"} left.`

export const AuthorizeHandlers = group(
  "authorize",
  Effect.fn(function*(handlers) {
    const requests = yield* Requests
    const cookie = yield* makeRequestCookie
    const { trustedProxyHops } = yield* Settings

    const begin = Effect.fnUntraced(function*(
      request: HttpServerRequest.HttpServerRequest,
      parameters: Parameters
    ) {
      const ours = cookie.begin(request)
      const begun = yield* requests.begin(parameters, ours)
      if (Option.isNone(begun)) return answerOf(unknownApp)
      if ("redirectUri" in begun.value) return goBack(begun.value)
      const sent = { request: begun.value.request, cookie: ours, network: clientNetwork(request, trustedProxyHops) }
      const open = yield* requests.look(sent)
      return cookie.set(ours)(answerOf(open.is === "open" ? emailPage(stepOf(open, sent)) : overPage))
    })

    /** The step of a request that is open, for the browser that began it. It is taken whole, though the client hangs up. */
    const atStep = (
      request: HttpServerRequest.HttpServerRequest,
      values: Values,
      step: (sent: Sent, open: Open) => Effect.Effect<Page | Back>,
      otherwise: (sent: Sent) => Effect.Effect<Page | Back> = () => Effect.succeed(overPage)
    ) =>
      Effect.uninterruptible(Effect.gen(function*() {
        const ours = cookie.cookieOf(request)
        if (ours === undefined || !cookie.isOurs(request)) return answerOf(foreignPage)
        const sent = {
          request: soleOf(values) ?? "",
          cookie: ours,
          network: clientNetwork(request, trustedProxyHops)
        }
        const open = yield* requests.look(sent)
        if (open.is === "foreign") return answerOf(foreignPage)
        const answer = yield* open.is === "open" ? step(sent, open) : otherwise(sent)
        return "redirectUri" in answer ? goBack(answer) : answerOf(answer)
      }))

    const afterVouching = Effect.fnUntraced(function*(sent: Sent, open: Open, assertion: string) {
      const outcome = yield* requests.vouch(sent, assertion)
      if (outcome === "ended") return overPage
      const known = outcome === "right" ? yield* requests.look(sent) : undefined
      if (known?.is === "open" && known.veteran !== null) return consentOf(known, known.veteran, sent)
      return emailPage(
        stepOf(open, sent, { status: 400, words: "Your app could not say who you are. Type your e-mail address." })
      )
    })

    const afterEmail = Effect.fnUntraced(function*(sent: Sent, open: Open, email: string) {
      const { status, wait } = yield* requests.sendCode(sent, email, open.appName)
      if (status === "ended") return overPage
      if (status === "active") return codePage(stepOf(open, sent))
      const words = `No more codes can be sent just now. Wait ${minutesOf(wait)}.`
      const retryAfter = Math.max(1, Math.ceil(wait))
      const page = (open.challenged ? codePage : emailPage)(stepOf(open, sent, { status: 429, words }))
      return { ...page, retryAfter }
    })

    return handlers.handleAll({
      ask: ({ request }) =>
        Effect.gen(function*() {
          const search = request.url.split("?").slice(1).join("?")
          const pairs = yield* parseForm(Buffer.from(search))
          return yield* begin(request, new Map(Object.entries(UrlParams.toRecord(pairs)).map(valuesOf)))
        }),
      askByForm: ({ payload, request }) => begin(request, new Map(Object.entries(payload).map(valuesOf))),
      email: ({ payload, request }) =>
        atStep(request, payload.request, (sent, open) => {
          const email = soleOf(payload.email) ?? ""
          const assertion = soleOf(payload.identityAssertion) ?? (isJwt(email) ? email : undefined)
          if (assertion !== undefined) return afterVouching(sent, open, assertion)
          return isEmail(email) ? afterEmail(sent, open, email) : Effect.succeed(
            emailPage(stepOf(open, sent, { status: 400, words: "Type your e-mail address, such as name@example.org." }))
          )
        }),
      code: ({ payload, request }) =>
        atStep(request, payload.request, (sent, open) =>
          Effect.gen(function*() {
            // Whoever goes back and sends the code once more has spent it already.
            if (open.veteran !== null) return consentOf(open, open.veteran, sent)
            const { attemptsLeft, status } = yield* requests.tryCode(sent, soleOf(payload.code) ?? "")
            if (status === "ended") return overPage
            const known = status === "right" ? yield* requests.look(sent) : undefined
            return known?.is === "open" && known.veteran !== null
              ? consentOf(known, known.veteran, sent)
              : codePage(stepOf(open, sent, { status: 400, words: wrongCode(attemptsLeft) }))
          })),
      decision: ({ payload, request }) =>
        atStep(request, payload.request, (sent, open) =>
          Effect.gen(function*() {
            const decision = soleOf(payload.decision)
            if (decision === "deny") return orOver(yield* requests.deny(sent))
            if (open.veteran === null) return emailPage(stepOf(open, sent))
            const chosen = choiceOf(payload, scopesOf(open), kindsOf(scopesOf(open), open.veteran.resourceTypes))
            const problem = decision === "approve" ? chosen.problem : "Choose Allow or Do not allow."
            if (problem !== undefined) return consentOf(open, open.veteran, sent, { ...chosen, problem })
            const { categories, days } = chosen.choice
            return orOver(yield* requests.approve(sent, { scope: chosen.scope, categories, days }))
          }), (sent) =>
          Effect.map(
            soleOf(payload.decision) === "approve" ? requests.repeat(sent, "granted") : requests.repeat(sent, "denied"),
            orOver
          ))
    })
  })
)

const valuesOf = ([name, values]: readonly [string, Values | string]) =>
  [name, typeof values === "string" ? [values] : values ?? []] as const

const orOver = (outcome: Back | "full" | "ended"): Page | Back =>
  outcome === "full" ? fullPage : outcome === "ended" ? overPage : outcome
