import { categoryNames } from "../../domain/ReleaseStatements.ts"
import { notSearched, SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { html } from "../../services/mail/Html.ts"
import { formTargetOf, type Page } from "./PageFrame.ts"

/** The app that asks, as its operator registered it. */
export interface AskingApp {
  readonly name: string
  readonly redirectUri: string
  readonly privacyUrl: string | null
}

/** A request that goes on: `request` goes into each form. */
export interface Step {
  readonly app: AskingApp
  readonly request: string
  /** Why the page is shown once more, and with which status. */
  readonly problem?: { readonly status: number; readonly words: string } | undefined
}

/** A kind of information that the app asks for. */
export interface Kind {
  readonly type: string
  readonly words: string
  /** Says where only a part of the kind is asked for. */
  readonly only: string | undefined
  readonly ticked: boolean
}

export interface Asked {
  /** What the app calls nobody by, but the veteran knows: the call sign. */
  readonly callSign: string
  readonly kinds: ReadonlyArray<Kind>
  /** True where what stays ticked may read what is added later, of whatever kind. */
  readonly everything: boolean
  readonly categories: ReadonlyArray<SensitiveCategory>
  /** Null where the app asks for one hour only. */
  readonly days: number | null
}

export const dayChoices = [30, 90, 180, 365] as const

/** Where the veteran ends up: whose name the address has, or which app's scheme. */
const placeOf = (redirectUri: string) => {
  const { host, protocol } = new URL(redirectUri)
  return host !== "" ? host : protocol.slice(0, -1)
}

const pageOf = ({ app, problem }: Step, title: string, ...main: ReadonlyArray<string>): Page => ({
  status: problem?.status ?? 200,
  title: problem === undefined ? title : `Error: ${title}`,
  main: [
    problem === undefined
      ? ""
      : html`<div class="problem" id="problem" role="alert" tabindex="-1" autofocus><p>${problem.words}</p></div>`,
    ...main
  ].join(""),
  formTarget: formTargetOf(app.redirectUri)
})

const form = (action: string, request: string, ...fields: ReadonlyArray<string>) =>
  html`<form method="post" action="/api/oauth/authorize/${action}" novalidate>` +
  html`<input type="hidden" name="request" value="${request}">` +
  `${fields.join("")}</form>`

/** What is wrong with a field stands at the page's beginning, and is read with the field. */
const described = (isWrong: boolean, hint = "") => {
  const ids = `${isWrong ? "problem " : ""}${hint}`.trim()
  return `${ids === "" ? "" : ` aria-describedby="${ids}"`}${isWrong ? " aria-invalid=\"true\"" : ""}`
}

const emailField = (isWrong: boolean) =>
  `<div class="field"><label for="email">E-mail address</label><p id="email-hint">The one that you use in the app where your records are kept.</p>` +
  `<input type="email" id="email" name="email" autocomplete="email" maxlength="254"${
    described(isWrong, "email-hint")
  }></div>`

const leave = (request: string) =>
  form("decision", request, "<button class=\"other\" name=\"decision\" value=\"deny\">Cancel and go back</button>")

const privacyOf = ({ name, privacyUrl }: AskingApp) =>
  privacyUrl === null
    ? ""
    : html`<p><a href="${privacyUrl}" rel="noreferrer">What ${name} says about privacy</a></p>`

export const emailPage = (step: Step): Page => {
  const { app, problem, request } = step
  return pageOf(
    step,
    `${app.name} asks to read your records`,
    html`<h1>${app.name} asks to read your records</h1>`,
    "<div class=\"card\">",
    "<p>First we make sure that it is you: we send a code to your e-mail address. Nothing is shared before you have seen what the app wants, and allowed it.</p>",
    form("email", request, emailField(problem !== undefined), "<button>Send me a code</button>"),
    leave(request),
    "</div>",
    html`<p class="soft">When you are done, you go back to ${placeOf(app.redirectUri)}.</p>`,
    privacyOf(app)
  )
}

export const codePage = (step: Step): Page => {
  const { app, problem, request } = step
  return pageOf(
    step,
    "Enter your code",
    "<h1>Enter your code</h1>",
    "<div class=\"card\">",
    "<p>If a record here belongs to the address that you gave, a code of 8 digits is on its way to it. It is good for 10 minutes. Keep this page open.</p>",
    form(
      "code",
      request,
      "<div class=\"field\"><label for=\"code\">8-digit code</label>" +
        `<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" spellcheck="false"${
          described(problem !== undefined)
        }></div>`,
      "<button>Go on</button>"
    ),
    "</div>",
    "<details><summary>No e-mail? Send a new code</summary>",
    "<div class=\"card\"><p>Look in your junk folder first: the subject does not show the code. A new code ends the older one.</p>",
    form("email", request, emailField(false), "<button class=\"other\">Send a new code</button>"),
    "</div></details>",
    leave(request),
    html`<p class="soft">${app.name} does not see your e-mail address or this code.</p>`
  )
}

const box = (name: string, value: string, words: string, only: string | undefined, ticked: boolean) =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"` + (ticked ? " checked" : "") +
  html`><span>${words}` + (only === undefined ? "" : html` <small>${only}</small>`) + "</span></label>"

const dayChoice = (days: number, chosen: number) =>
  html`<label class="choice"><input type="radio" name="days" value="${days}"` + (days === chosen ? " checked" : "") +
  html`><span>${days === 365 ? "1 year" : `${days} days`}</span></label>`

const howLong = (name: string, days: number | null) =>
  days === null
    ? html`<section><h2>How long</h2><p>One hour. After that, ${name} has to ask you again.</p></section>`
    : "<fieldset><legend>How long</legend><div class=\"choices\">" +
      dayChoices.map((choice) => dayChoice(choice, days)).join("") + "</div></fieldset>"

const consequences = (name: string) =>
  "<section><h2>Good to know</h2><ul>" +
  html`<li>You can end this at any time: in the app where your records are kept, on the Consent tab. From then on ${name} reads nothing more.</li>` +
  html`<li>Ending it cannot undo what was read before. ${name} may keep that and pass it on, and federal privacy rules may then no longer protect it.</li>` +
  html`<li>It is your choice. Your treatment, payment and benefits do not depend on it.</li>` +
  html`<li>${name} can read, and can change nothing. It sees no documents that you uploaded and nothing that you wrote yourself.</li>` +
  "</ul></section>"

export const consentPage = (step: Step, asked: Asked): Page => {
  const { app, request } = step
  return pageOf(
    step,
    `What may ${app.name} read?`,
    html`<h1>What may ${app.name} read?</h1>`,
    html`<p>It asks for the records of <b>${asked.callSign}</b>. Untick what you want to keep to yourself.</p>`,
    "<div class=\"card\">",
    form(
      "decision",
      request,
      "<fieldset><legend>Kinds of information</legend><div class=\"choices\">",
      ...asked.kinds.map(({ only, ticked, type, words }) => box("type", type, words, only, ticked)),
      "</div>",
      asked.everything
        ? `<p class="soft">While every box stays ticked, the app also reads other kinds that are added to your records later. Untick one, and it reads the ticked kinds only.</p>`
        : "",
      "</fieldset>",
      "<fieldset><legend>Specially protected information</legend>",
      "<p>Federal law (38 U.S.C. 7332) protects these more than the rest. They are left out unless you tick them. The list is the same for everybody: it says nothing about your records.</p><div class=\"choices\">",
      ...SensitiveCategory.literals.map((category) =>
        box("category", category, categoryNames[category], undefined, asked.categories.includes(category))
      ),
      html`</div><p class="soft">${notSearched}</p></fieldset>`,
      howLong(app.name, asked.days),
      consequences(app.name),
      "<div class=\"actions\"><button class=\"other\" name=\"decision\" value=\"deny\">Do not allow</button>",
      "<button name=\"decision\" value=\"approve\">Allow</button></div>"
    ),
    "</div>",
    html`<p class="soft">Either way you go back to ${placeOf(app.redirectUri)}.</p>`,
    privacyOf(app)
  )
}

/** Nothing that was sent is told again, and no way leads back: the browser is sent to no address that we do not know. */
export const problemPage = (status: number, title: string, ...words: ReadonlyArray<string>): Page => ({
  status,
  title,
  main: html`<h1>${title}</h1>` + `<div class="card">${words.map((each) => html`<p>${each}</p>`).join("")}</div>`
})
