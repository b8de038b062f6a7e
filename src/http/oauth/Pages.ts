import { appRequestLimits } from "../../domain/AppRequest.ts"
import { type Language, languages, localeOf } from "../../domain/Language.ts"
import { type Html, html } from "../../services/platform/Html.ts"
import { formTargetOf, type Page } from "./PageFrame.ts"
import type { Problem } from "./PageProblem.ts"
import { eitherIn, pageWords, timeIn } from "./PageWords.ts"

/** The app that asks for access, as the operator registered it. */
interface RequestingApp {
  readonly name: string
  readonly redirectUri: string
  readonly privacyUrl: string | null
}

/** The page that the browser's address names. */
export type StepName = "email" | "code" | "consent"

/** What each page of an app's open request needs. Every form on the page sends `request`, which identifies it. */
export interface Step {
  readonly app: RequestingApp
  readonly name: StepName
  readonly request: string
  readonly language: Language
  readonly problem?: Exclude<Problem, { readonly is: "full" | "deleting" | "enough" | "switched" }> | undefined
}

/** The address of a step's page, in the language that the reader chooses there. */
export const addressOf = (name: StepName, request: string, language?: Language): string =>
  `/api/oauth/authorize/page?${new URLSearchParams({
    step: name,
    request,
    ...(language === undefined ? {} : { language })
  })}`

/** Names the place that the browser goes back to: a host, or the scheme of an app. */
export const placeOf = (redirectUri: string) => {
  const { host, protocol } = new URL(redirectUri)
  return host !== "" ? host : protocol.slice(0, -1)
}

const problemWords = (language: Language, problem: NonNullable<Step["problem"]>): string => {
  const { problems } = pageWords[language]
  switch (problem.is) {
    case "limited":
      return problems.limited(timeIn(language, problem.wait))
    case "code":
      return problems.code(problem.attemptsLeft)
    case "days":
      return problems.days(eitherIn(language, appRequestLimits.days.map(String)))
    default:
      return problems[problem.is]
  }
}

/**
 * On the consent page the switch sends the form, so that no tick is lost. A form's first button is the one that Enter
 * presses (HTML, "implicit submission"). So a button that denies stands before it, unseen.
 */
const switchTo = (other: Language, { name, request }: Step) => {
  const lang = localeOf[other]
  const { name: words } = pageWords[other]
  return name === "consent"
    ? html`<button class="unseen" form="form-decision" name="decision" value="deny" tabindex="-1" aria-hidden="true"></button><button class="switch" form="form-decision" name="decision" value="${other}" lang="${lang}">${words}</button>`
    : html`<a href="${addressOf(name, request, other)}" lang="${lang}" hreflang="${lang}">${words}</a>`
}

const otherLanguage = (step: Step) =>
  html`${languages.filter((other) => other !== step.language).map((other) => switchTo(other, step))}`

export const pageOf = (step: Step, title: string, main: Html): Page => {
  const { app, language, problem } = step
  const page = { language, otherLanguage: otherLanguage(step), formTarget: formTargetOf(app.redirectUri) }
  if (problem === undefined) return { ...page, status: 200, title, main }
  const limited = problem.is === "limited"
  return {
    ...page,
    status: limited ? 429 : 400,
    retryAfter: limited ? Math.max(1, Math.ceil(problem.wait)) : undefined,
    title: pageWords[language].error(title),
    main: html`<div class="problem" id="problem" role="alert" tabindex="-1" autofocus><p>${
      problemWords(language, problem)
    }</p></div>${main}`
  }
}

export const form = ({ request }: Step, action: string, fields: Html) =>
  html`<form method="post" action="/api/oauth/authorize/${action}" id="form-${action}" novalidate>
<input type="hidden" name="request" value="${request}">${fields}</form>`

/** Links a wrong field to the problem at the top of the page, so that screen readers read both together. */
const described = (isWrong: boolean, hint = "") => {
  const ids = `${isWrong ? "problem " : ""}${hint}`.trim()
  return html`${ids === "" ? undefined : html` aria-describedby="${ids}"`}${
    isWrong ? html` aria-invalid="true"` : undefined
  }`
}

const isOfEmail = ({ problem }: Step) => problem !== undefined && problem.is !== "code"

const emailField = (step: Step) => {
  const { hint, label } = pageWords[step.language].email
  return html`<div class="field"><label for="email">${label}</label>
<p id="email-hint">${hint}</p>
<input type="email" id="email" name="email" autocomplete="email" maxlength="254"${
    described(isOfEmail(step), "email-hint")
  }></div>`
}

const leave = (step: Step) =>
  form(
    step,
    "decision",
    html`<button class="other" name="decision" value="deny">${pageWords[step.language].leave}</button>`
  )

export const privacyOf = ({ app: { name, privacyUrl }, language }: Step) =>
  privacyUrl === null
    ? undefined
    : html`<p><a href="${privacyUrl}" rel="noreferrer">${pageWords[language].privacyOf(name)}</a></p>`

export const emailPage = (step: Step): Page => {
  const { app, language } = step
  const words = pageWords[language].email
  const title = words.title(app.name)
  return pageOf(
    step,
    title,
    html`<h1>${title}</h1>
<div class="card">
<p>${words.why}</p>
${form(step, "email", html`${emailField(step)}<button>${words.send}</button>`)}
${leave(step)}
</div>
<p class="soft">${words.back(placeOf(app.redirectUri))}</p>
${privacyOf(step)}`
  )
}

export const codePage = (step: Step): Page => {
  const { app, language, problem } = step
  const words = pageWords[language].code
  const { codeDigits, codeSeconds } = appRequestLimits
  const field = html`<div class="field"><label for="code">${words.label(codeDigits)}</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" spellcheck="false"${
    described(problem?.is === "code")
  }></div>`
  return pageOf(
    step,
    words.title,
    html`<h1>${words.title}</h1>
<div class="card">
<p>${words.sent(codeDigits, codeSeconds / 60)}</p>
${form(step, "code", html`${field}<button>${words.go}</button>`)}
</div>
<details${isOfEmail(step) ? html` open` : undefined}><summary>${words.again}</summary>
<div class="card"><p>${words.junk}</p>
${form(step, "email", html`${emailField(step)}<button class="other">${words.sendAgain}</button>`)}
</div></details>
${leave(step)}
<p class="soft">${words.unseen(app.name)}</p>`
  )
}
