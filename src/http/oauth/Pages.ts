import { appRequestLimits } from "../../domain/AppRequest.ts"
import { consentTab } from "../../domain/ConsentTab.ts"
import { categoryNames } from "../../domain/ReleaseStatements.ts"
import { notSearched, SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { type Html, html } from "../../services/platform/Html.ts"
import { formTargetOf, type Page } from "./PageFrame.ts"

/** The app that asks for access, as the operator registered it. */
interface RequestingApp {
  readonly name: string
  readonly redirectUri: string
  readonly privacyUrl: string | null
}

/** What each page of an app's open request needs. Every form on the page sends `request`, which identifies it. */
export interface Step {
  readonly app: RequestingApp
  readonly request: string
  /** Why the page is shown again, and with which status. */
  readonly problem?: { readonly status: number; readonly words: string } | undefined
}

interface Kind {
  readonly type: string
  readonly words: string
  /** Describes the part that the app asks for, or is undefined if the app asks for the whole kind. */
  readonly only: string | undefined
  readonly ticked: boolean
}

interface ConsentQuestion {
  readonly callSign: string
  readonly kinds: ReadonlyArray<Kind>
  /** Whether the app asks for every kind, also those that are added to the record later. */
  readonly everything: boolean
  readonly categories: ReadonlyArray<SensitiveCategory>
  /** The number of days that is selected, or null if the app asks for one hour only. */
  readonly days: number | null
}

/** Names the place that the browser goes back to: a host, or the scheme of an app. */
const placeOf = (redirectUri: string) => {
  const { host, protocol } = new URL(redirectUri)
  return host !== "" ? host : protocol.slice(0, -1)
}

const pageOf = ({ app, problem }: Step, title: string, main: Html): Page => ({
  status: problem?.status ?? 200,
  title: problem === undefined ? title : `Error: ${title}`,
  main: problem === undefined
    ? main
    : html`<div class="problem" id="problem" role="alert" tabindex="-1" autofocus><p>${problem.words}</p></div>${main}`,
  formTarget: formTargetOf(app.redirectUri)
})

const form = (action: string, request: string, fields: Html) =>
  html`<form method="post" action="/api/oauth/authorize/${action}" novalidate>
<input type="hidden" name="request" value="${request}">${fields}</form>`

/** Links a wrong field to the problem at the top of the page, so that screen readers read both together. */
const described = (isWrong: boolean, hint = "") => {
  const ids = `${isWrong ? "problem " : ""}${hint}`.trim()
  return html`${ids === "" ? undefined : html` aria-describedby="${ids}"`}${
    isWrong ? html` aria-invalid="true"` : undefined
  }`
}

const emailField = (isWrong: boolean) =>
  html`<div class="field"><label for="email">E-mail address</label>
<p id="email-hint">The one that you use in the app where your records are kept.</p>
<input type="email" id="email" name="email" autocomplete="email" maxlength="254"${
    described(isWrong, "email-hint")
  }></div>`

const leave = (request: string) =>
  form("decision", request, html`<button class="other" name="decision" value="deny">Cancel and go back</button>`)

const privacyOf = ({ name, privacyUrl }: RequestingApp) =>
  privacyUrl === null
    ? undefined
    : html`<p><a href="${privacyUrl}" rel="noreferrer">Privacy policy of ${name}</a></p>`

export const emailPage = (step: Step): Page => {
  const { app, problem, request } = step
  return pageOf(
    step,
    `${app.name} asks to read your records`,
    html`<h1>${app.name} asks to read your records</h1>
<div class="card">
<p>First we make sure that it is you: we send a code to your e-mail address. Nothing is shared until you have seen what the app wants and have allowed it.</p>
${form("email", request, html`${emailField(problem !== undefined)}<button>Send me a code</button>`)}
${leave(request)}
</div>
<p class="soft">When you are done, you go back to ${placeOf(app.redirectUri)}.</p>
${privacyOf(app)}`
  )
}

export const codePage = (step: Step): Page => {
  const { app, problem, request } = step
  const field = html`<div class="field"><label for="code">${appRequestLimits.codeDigits}-digit code</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" spellcheck="false"${
    described(problem !== undefined)
  }></div>`
  return pageOf(
    step,
    "Enter your code",
    html`<h1>Enter your code</h1>
<div class="card">
<p>If a record here belongs to your address, we have sent it a code of ${appRequestLimits.codeDigits} digits. The code is good for ${
      appRequestLimits.codeSeconds / 60
    } minutes. Keep this page open.</p>
${form("code", request, html`${field}<button>Continue</button>`)}
</div>
<details><summary>No e-mail? Send a new code</summary>
<div class="card"><p>Look in your junk folder first: the subject does not show the code. A new code ends the older one.</p>
${form("email", request, html`${emailField(false)}<button class="other">Send a new code</button>`)}
</div></details>
${leave(request)}
<p class="soft">${app.name} does not see your e-mail address or this code.</p>`
  )
}

const checked = (is: boolean) => is ? html` checked` : undefined

const box = (name: string, value: string, words: string, only: string | undefined, ticked: boolean) =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${checked(ticked)}><span>${words}${
    only === undefined ? undefined : html` <small>${only}</small>`
  }</span></label>`

const dayChoice = (days: number, chosen: number) =>
  html`<label class="choice"><input type="radio" name="days" value="${days}"${checked(days === chosen)}><span>${
    days === 365 ? "1 year" : `${days} days`
  }</span></label>`

const howLong = (name: string, days: number | null) =>
  days === null
    ? html`<section><h2>How long</h2><p>One hour. After that, ${name} has to ask you again.</p></section>`
    : html`<fieldset><legend>How long</legend><div class="choices">${
      appRequestLimits.days.map((choice) => dayChoice(choice, days))
    }</div></fieldset>`

const consequences = (name: string) =>
  html`<section><h2>Good to know</h2><ul>
<li>You can end this at any time, on ${consentTab}. From then on ${name} reads nothing more.</li>
<li>Ending it cannot undo what was read before. ${name} may keep that and pass it on, and federal privacy rules may then no longer protect it.</li>
<li>It is your choice. Your treatment, payment and benefits do not depend on it.</li>
<li>${name} can read your records but cannot change them. It does not see documents that you uploaded or anything that you wrote yourself.</li>
</ul></section>`

const everythingLater =
  html`<p class="soft">While every box stays ticked, the app also reads other kinds that are added to your records later. Untick one, and it reads the ticked kinds only.</p>`

export const consentPage = (step: Step, question: ConsentQuestion): Page => {
  const { app, request } = step
  const kinds = question.kinds.map(({ only, ticked, type, words }) => box("type", type, words, only, ticked))
  const categories = SensitiveCategory.literals.map((category) =>
    box("category", category, categoryNames[category], undefined, question.categories.includes(category))
  )
  const fields = html`<fieldset><legend>Kinds of information</legend><div class="choices">${kinds}</div>${
    question.everything ? everythingLater : undefined
  }</fieldset>
<fieldset><legend>Specially protected information</legend>
<p>Federal law (38 U.S.C. 7332) protects these more than the rest. They are left out unless you tick them. The list is the same for everybody: it says nothing about your records.</p><div class="choices">
${categories}</div><p class="soft">${notSearched}</p></fieldset>
${howLong(app.name, question.days)}
${consequences(app.name)}
<div class="actions"><button class="other" name="decision" value="deny">Do not allow</button>
<button name="decision" value="approve">Allow</button></div>`
  return pageOf(
    step,
    `What may ${app.name} read?`,
    html`<h1>What may ${app.name} read?</h1>
<p>It asks for the records of <b>${question.callSign}</b>. Untick what you want to keep to yourself.</p>
<div class="card">${form("decision", request, fields)}</div>
<p class="soft">Either way you go back to ${placeOf(app.redirectUri)}.</p>
${privacyOf(app)}`
  )
}

/** The page shows nothing that was sent. It has no link to the app, because the redirect URI may not be registered. */
export const problemPage = (status: number, title: string, ...words: ReadonlyArray<string>): Page => ({
  status,
  title,
  main: html`<h1>${title}</h1><div class="card">${words.map((each) => html`<p>${each}</p>`)}</div>`
})
