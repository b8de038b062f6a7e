import { appRequestLimits } from "../../domain/AppRequest.ts"
import { localeOf } from "../../domain/Language.ts"
import { wordsFor } from "../../domain/ResourceTypeWords.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import type { Kind, KindGroup } from "../../services/oauth/ConsentKinds.ts"
import { categoryName } from "../../services/oauth/ScopeCategories.ts"
import { type Html, html } from "../../services/platform/Html.ts"
import { valueOf } from "./DecisionForm.ts"
import type { Page } from "./PageFrame.ts"
import type { Choice } from "./PageProblem.ts"
import { form, pageOf, placeOf, privacyOf, type Step } from "./Pages.ts"
import { eitherIn, pageWords } from "./PageWords.ts"

interface ConsentQuestion {
  readonly callSign: string
  readonly groups: ReadonlyArray<KindGroup>
  /** Whether the app asks for every kind, also those that are added to the record later. */
  readonly everything: boolean
  /** Whether the app asks for more than one hour. */
  readonly offline: boolean
  readonly choice: Choice
}

type Language = Step["language"]

const checked = (is: boolean) => is ? html` checked` : undefined

const box = (name: string, value: string, words: Html | string, ticked: boolean) =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${
    checked(ticked)
  }><span>${words}</span></label>`

/** The words of a type. A type that hardly any record contains has English words only. */
const typeWords = (language: Language, type: string): Html => {
  const words: Readonly<Record<string, string>> = pageWords[language].consent.types
  const own = words[type]
  return own === undefined ? html`<span lang="${localeOf.en}">${wordsFor(type)}</span>` : html`${own}`
}

/** The part of the kind that the app asks for, or undefined if it asks for all of it. */
const onlyPart = (language: Language, { categories }: Kind) => {
  if (categories.length === 0) return undefined
  const { only, ...words } = pageWords[language].consent
  const names = categories.map((category) => {
    const name = categoryName(category)
    return name === undefined ? category.code : words.categories[name]
  })
  return only(eitherIn(language, new Set(names)))
}

const kindWords = (language: Language, kind: Kind) => {
  const only = onlyPart(language, kind)
  return html`${typeWords(language, kind.type)}${only === undefined ? undefined : html` <small>${only}</small>`}`
}

/** A group of one kind has that kind's own words, because the group's would say more than the app asks for. */
const groupBox = (language: Language, group: KindGroup, ticked: boolean) => {
  const [first, ...others] = group.kinds
  if (others.length === 0) return html`<li>${box("type", valueOf(group), kindWords(language, first!), ticked)}</li>`
  const { details, groups } = pageWords[language].consent
  const name = groups[group.name]
  return html`<li>${box("type", valueOf(group), name, ticked)}
<details><summary>${details}<span class="unseen">: ${name}</span></summary><ul>${
    group.kinds.map((kind) => html`<li>${kindWords(language, kind)}</li>`)
  }</ul></details></li>`
}

const dayChoice = (language: Language, days: number, chosen: number) =>
  html`<label class="choice"><input type="radio" name="days" value="${days}"${checked(days === chosen)}><span>${
    pageWords[language].consent.days(days)
  }</span></label>`

const howLong = ({ app, language }: Step, { choice, offline }: ConsentQuestion) => {
  const words = pageWords[language].consent
  return offline
    ? html`<fieldset><legend>${words.howLong}</legend><div class="choices">${
      appRequestLimits.days.map((days) => dayChoice(language, days, choice.days))
    }</div></fieldset>`
    : html`<section><h2>${words.howLong}</h2><p>${words.oneHour(app.name)}</p></section>`
}

export const consentPage = (step: Step, question: ConsentQuestion): Page => {
  const { app, language } = step
  const { choice, everything, groups } = question
  const words = pageWords[language].consent
  const categories = SensitiveCategory.literals.map((category) =>
    html`<li>${box("category", category, words.sensitive[category], choice.categories.includes(category))}</li>`
  )
  const fields = html`<fieldset><legend>${words.kinds}</legend><ul class="choices">${
    groups.map((group) => groupBox(language, group, choice.ticked.includes(group.name)))
  }</ul>${everything ? html`<p class="soft">${words.later}</p>` : undefined}</fieldset>
<fieldset><legend>${words.protected}</legend><p>${words.protectedWhy}</p><ul class="choices">
${categories}</ul><p class="soft">${words.protectedLimits}</p></fieldset>
${howLong(step, question)}
<section><h2>${words.goodToKnow}</h2><ul>${
    words.consequences(app.name).map((consequence) => html`<li>${consequence}</li>`)
  }</ul></section>
<div class="actions decide"><button class="other" name="decision" value="deny">${words.deny}</button>
<button name="decision" value="approve">${words.allow}</button></div>`
  const title = words.title(app.name)
  return pageOf(
    step,
    title,
    html`<h1>${title}</h1>
<p>${words.of(html`<b>${question.callSign}</b>`)}</p>
<div class="card">${form(step, "decision", fields)}</div>
<p class="soft">${words.back(placeOf(app.redirectUri))}</p>
${privacyOf(step)}`
  )
}
