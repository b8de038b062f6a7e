import { Schema } from "effect"
import { isBlank } from "../../../src/domain/Blank.ts"
import { Npi } from "../../../src/domain/Provider.ts"
import { CalendarDate, EmailAddress, isStorable } from "../../../src/domain/Scalars.ts"
import type { Problem } from "../../shared/Problem.ts"
import { endRange, npiOf, type ReleaseDraft } from "./Draft.ts"
import { type Step, step } from "./Memory.ts"
import type { ReleaseWords } from "./words/English.ts"

/** A part of the form that can be mended. */
export type Place = Exclude<keyof ReleaseWords["wrong"], "long" | "kindsNotLoaded" | "range">

/** A part that must be mended. `why` names other words than those of the place. */
export interface Wrong {
  readonly place: Place
  readonly why?: "long" | "kindsNotLoaded" | "range"
}

/** The longest line and the longest text of a release, in characters. */
const longest = 10_000

const wrongText = (place: Place, text: string): ReadonlyArray<Wrong> =>
  isBlank(text) || !isStorable(text) ? [{ place }] : text.length > longest ? [{ place, why: "long" }] : []

const wrongIfGiven = (place: Place, text: string) => text.trim() === "" ? [] : wrongText(place, text)

const isDay = Schema.is(CalendarDate)

const isEmail = Schema.is(EmailAddress)

const isNpi = Schema.is(Npi)

const wrongIf = (wrong: boolean, place: Place, why?: NonNullable<Wrong["why"]>): ReadonlyArray<Wrong> =>
  wrong ? [{ place, ...why === undefined ? {} : { why } }] : []

export const wrongWho = ({ purpose, recipient, veteran }: ReleaseDraft, now: Date): ReadonlyArray<Wrong> => {
  const npi = npiOf(recipient.npi)
  const born = veteran?.dateOfBirth ?? ""
  return [
    ...wrongText("fullName", veteran?.fullName ?? ""),
    ...wrongIf(!isDay(born) || born > endRange(now).min, "born"),
    ...wrongText("name", recipient.name),
    ...wrongIfGiven("organization", recipient.organization),
    ...wrongIfGiven("position", recipient.title),
    ...wrongIf(!isEmail(recipient.email.trim()), "email"),
    ...wrongIf(npi !== "" && !isNpi(npi), "npi"),
    ...wrongIf(purpose.code === undefined, "purpose"),
    ...purpose.code === "other" ? wrongText("reason", purpose.text) : wrongIfGiven("reason", purpose.text)
  ]
}

export const wrongWhat = (
  { dateFrom, dateTo, kinds }: ReleaseDraft,
  all: ReadonlyArray<string> | undefined
): ReadonlyArray<Wrong> => [
  ...kinds === null ? wrongIf(all === undefined || all.length === 0, "kinds", "kindsNotLoaded") : [],
  ...wrongIf(kinds?.length === 0, "kinds"),
  ...wrongIf(dateFrom !== "" && !isDay(dateFrom), "dateFrom"),
  ...wrongIf(dateTo !== "" && !isDay(dateTo), "dateTo"),
  ...wrongIf(dateFrom !== "" && dateTo !== "" && dateTo < dateFrom, "dateTo", "range")
]

export const wrongUntil = ({ until }: ReleaseDraft, now: Date): ReadonlyArray<Wrong> => {
  const { max, min } = endRange(now)
  return until.is === "event"
    ? wrongText("event", until.event)
    : wrongIf(until.is === "day" && !(isDay(until.day) && until.day >= min && until.day <= max), "until")
}

/** A name as the service compares it: one Unicode form and single spaces. */
const spelled = (name: string) => name.slice(0, longest).normalize("NFC").trim().replaceAll(/\s+/g, " ")

export const isSameName = (one: string, other: string) => spelled(one) === spelled(other)

/** The parts of a request, by the path of an issue of the service. */
const places: Readonly<Record<string, readonly [Step, Place]>> = {
  "veteran": [step.who, "fullName"],
  "veteran.dateOfBirth": [step.who, "born"],
  "recipient": [step.who, "name"],
  "recipient.organization": [step.who, "organization"],
  "recipient.title": [step.who, "position"],
  "recipient.email": [step.who, "email"],
  "recipient.npi": [step.who, "npi"],
  "purpose": [step.who, "purpose"],
  "purpose.text": [step.who, "reason"],
  "information": [step.what, "kinds"],
  "information.dateFrom": [step.what, "dateFrom"],
  "information.dateTo": [step.what, "dateTo"],
  "information.documentIds": [step.what, "documents"],
  "sensitiveCategories": [step.what, "categories"],
  "expiration": [step.until, "until"],
  "expiration.event": [step.until, "event"],
  "statementsAccepted": [step.sign, "read"],
  "signature": [step.sign, "typed"],
  "signature.consentToElectronicSignature": [step.sign, "electronic"],
  "signature.drawnPng": [step.sign, "drawing"]
}

/** Where the issues of a refused request can be mended: the first step that has some, and all its places. */
export const mendingOf = ({ issues = [] }: Problem) => {
  const found = issues.flatMap(({ path: [element, member] }) => {
    const place = [`${element}.${member}`, `${element}`].find((key) => Object.hasOwn(places, key))
    return place === undefined ? [] : [places[place]!]
  })
  const at = found.map(([one]) => one).sort()[0]
  if (at === undefined) return undefined
  const wrong = new Set(found.filter(([one]) => one === at).map(([, place]) => place))
  return { step: at, wrong: [...wrong].map((place): Wrong => ({ place })) }
}
