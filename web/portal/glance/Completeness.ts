import { wordsFor } from "../../../src/domain/ResourceTypeWords.ts"
import { dayWords } from "../../shared/Dates.ts"
import type { About } from "../../shared/record/Messages.ts"

/**
 * How far the items of a type can be relied on. `current` and `none` are both up to date: `current` has items, and
 * `none` has no items. `missing` means that the type was not loaded, so nothing is known.
 */
export type Standing = "current" | "none" | "late" | "old" | "incomplete" | "missing"

export interface Stand {
  readonly is: Standing
  readonly lastCompleteAt: string | null
}

/**
 * A first glance without these types misleads. If one of them was not loaded, the page says so, even if the grant
 * leaves it out.
 */
const expectedTypes = ["AllergyIntolerance", "MedicationRequest", "Condition"]

/** From best to worst. */
const order: ReadonlyArray<Standing> = ["none", "current", "late", "old", "incomplete", "missing"]

const byAlert = {
  record_incomplete: "incomplete",
  record_stale: "old",
  last_fetch_incomplete: "late"
} as const

export const standOf = ({ alerts, sections }: About, resourceType: string): Stand => {
  const section = sections.find((one) => one.resourceType === resourceType)
  if (section === undefined || section.state === "unknown") return { is: "missing", lastCompleteAt: null }
  const alert = alerts.find((one) => one.resourceType === resourceType)
  const { lastCompleteAt } = section
  if (alert !== undefined) return { is: byAlert[alert.code], lastCompleteAt }
  return { is: section.itemCount === 0 ? "none" : "current", lastCompleteAt }
}

/**
 * The worst state of several types. If the record has no section for the first type, that type counts as missing. The
 * other types count only if they have a section.
 */
export const worstOf = (about: About, [first, ...others]: readonly [string, ...Array<string>]): Stand =>
  others.filter((type) => about.sections.some(({ resourceType }) => resourceType === type))
    .map((type) => standOf(about, type))
    .reduce((worst, one) => order.indexOf(one.is) > order.indexOf(worst.is) ? one : worst, standOf(about, first))

export const tagOf: Readonly<Record<Standing, readonly [words: string, kind: "good" | "warn" | "bad" | "off"]>> = {
  current: ["Up to date", "good"],
  none: ["Up to date", "good"],
  late: ["May be out of date", "warn"],
  old: ["May be out of date", "warn"],
  incomplete: ["Not complete", "warn"],
  missing: ["Not loaded", "bad"]
}

const own: Readonly<Record<string, string>> = {
  Condition: "Problems",
  MedicationRequest: "Medications",
  Observation: "Results and vital signs"
}

const namesOf = (types: ReadonlyArray<string>) =>
  new Intl.ListFormat("en-US", { type: "conjunction" }).format(
    types.map((type) => own[type] ?? wordsFor(type)).map((name, index) =>
      index === 0 ? name : name.charAt(0).toLowerCase() + name.slice(1)
    )
  )

const sentenceOf = ({ is, lastCompleteAt }: Stand): string => {
  switch (is) {
    case "missing":
      return "were not loaded. This is not the same as “none.” Ask the patient."
    case "incomplete":
      return "are not complete. Do not read a missing item as “none.”"
    case "old":
      return lastCompleteAt === null
        ? "may be out of date. The newest update did not finish. Ask the patient about changes."
        : `had their last complete update on ${
          dayWords(new Date(lastCompleteAt))
        }. The newest update did not finish. Ask the patient about changes since then.`
    case "late":
      return "may miss the latest changes. The newest update did not finish."
    case "current":
    case "none":
      return "are up to date."
  }
}

export interface Warning {
  readonly names: string
  readonly text: string
}

/** What is not up to date, worst first. Types in the same state share one sentence. */
export const warningsOf = (about: About): ReadonlyArray<Warning> => {
  const types = new Set([...expectedTypes, ...about.sections.map(({ resourceType }) => resourceType)])
  const stands = [...types].map((type) => ({ type, stand: standOf(about, type) }))
    .filter(({ stand }) => stand.is !== "current" && stand.is !== "none")
    .toSorted((a, b) => order.indexOf(b.stand.is) - order.indexOf(a.stand.is))
  return [...Map.groupBy(stands, ({ stand }) => sentenceOf(stand))].map(([text, of]) => ({
    names: namesOf(of.map(({ type }) => type)),
    text
  }))
}

/**
 * The words of a card without items: either there are none, or nothing is known. `past` is true if past items exist.
 */
export const emptyWords = ({ is, lastCompleteAt }: Stand, name: string, past = false): string => {
  const lower = name.toLowerCase()
  if (is === "missing") return `${name} were not loaded. This is not the same as “none.” Ask the patient.`
  if (is === "incomplete") {
    return `No ${past ? "active " : ""}${lower} were loaded. Do not read this as “none.” Ask the patient.`
  }
  const date = lastCompleteAt === null ? "" : ` as of ${dayWords(new Date(lastCompleteAt))}`
  const none = past ? `No active ${lower} in this record` : "None in this record"
  return `${none}${date}.${is === "current" || is === "none" ? "" : " Ask the patient about changes since then."}`
}
