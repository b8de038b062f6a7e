import type { Card, GlanceItem } from "../../../src/clinical/GlanceCards.ts"
import type { GlanceResult, Results } from "../../../src/clinical/GlanceResults.ts"
import type { Person } from "../../../src/clinical/Person.ts"
import { dayWords } from "../Dates.ts"
import { ageOn, recordedDay } from "./ClinicalDays.ts"
import { askingFor, deceased, isDeceased } from "./Deceased.ts"
import { type CardState, cardStatesOf, type ReadSoFar } from "./glance/CardStates.ts"
import { emptyWords, tagOf, warningsOf } from "./glance/Completeness.ts"
import { detailWords, doseWords, reactionWords, suppliedWords } from "./glance/ItemWords.ts"
import { ownDay } from "./glance/OwnDay.ts"
import { cutWords, sentEntries } from "./glance/SentEntries.ts"
import { missingIdentity } from "./Identity.ts"
import { unitsInWords } from "./items/Units.ts"
import type { About, SelfReported } from "./Messages.ts"
import { english } from "./words/English.ts"

/** Where and when a copy was made, and by whom. */
export interface ChartSource {
  readonly site: string
  readonly reader: string
  readonly at: Date
}

/**
 * The first glance as plain text for a clinic's own chart. Each fact is one line, and values are exactly as sent. The
 * text says what is not up to date, what is the patient's own word, and that it is not all.
 */
export const chartText = (about: About, read: ReadSoFar, { at, reader, site }: ChartSource): string => {
  const { glance } = read
  const patient = glance?.patient ?? null
  const states = cardStatesOf(about, read)
  const asking = askingFor(patient)
  const warnings = warningsOf(about).map(({ names, text }) => asking(`${names} ${text}`))
  const own = (category: string) => [
    ...about.selfReported.filter((entry) => entry.category === category).map(ownLine),
    ...about.selfReported.length < sentEntries ? [] : [cutWords]
  ]
  const list = (title: string, name: string, of: CardState, card: Card | undefined, told: Told) => {
    const hasOthers = told.own.length > 0 || told.more.length > 0
    const isEmpty = card === undefined || card.items.length === 0
    return block(
      `${title} (${standing(of, at)})`,
      [
        ...(isEmpty ? [] : card.items.map((item) => itemLine(item, told.about(item)))),
        ...(isEmpty ? [asking(nothingWords(of, name, card?.hasPast === true, hasOthers))] : []),
        ...(isEmpty ? [] : leftOut(card)),
        ...(card?.statements ?? []).map((one) => `The record says: ${itemLine(one, detailWords(one))}`),
        ...told.supplied == null
          ? []
          : [`Last dispensed or given: ${itemLine(told.supplied, suppliedWords(told.supplied))}`],
        ...told.more,
        ...told.own
      ]
    )
  }
  const vaccines = (glance?.allergies.vaccineReactions ?? []).map((item) =>
    `Reaction to a vaccine: ${itemLine(item, reactionWords(item))}`
  )
  return [
    block(whoWords(about, patient, at), [
      ...[missingIdentity(about, read)].filter((text) => text !== null),
      `Source: Veteran Records (${site}), what the patient shares until ${dayWords(new Date(about.expiresAt))}.`,
      `Copied ${moment.format(at)} by ${flat(reader)}.`,
      ...warnings
    ]),
    list("ALLERGIES", "Allergies", states.allergies, glance?.allergies, {
      about: detailWords,
      more: vaccines,
      own: own("allergy")
    }),
    list("ACTIVE PROBLEMS", "Problems", states.problems, glance?.problems, { about: detailWords, more: [], own: [] }),
    list("MEDICATIONS", "Medications", states.medications, glance?.medications, {
      about: doseWords,
      more: [],
      supplied: glance?.medications.lastSupplied ?? null,
      own: own("medication")
    }),
    block(
      `LATEST RESULTS (${standing(states.results, at)})`,
      states.results.coming === "there" && glance !== undefined && glance.results.all > 0
        ? resultLines(glance.results)
        : [asking(nothingWords(states.results, "Results", false, false))]
    ),
    asking("What is not listed here is not in this record as shared. That is not the same as none. Ask the patient.")
  ].join("\n\n") + "\n"
}

interface Told {
  readonly about: (item: GlanceItem) => string
  /** Lines that are neither items nor the patient's own words. */
  readonly more: ReadonlyArray<string>
  readonly own: ReadonlyArray<string>
  /** The last medication that was dispensed or given, if none is active. */
  readonly supplied?: GlanceItem | null
}

const moment = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" })

const block = (head: string, lines: ReadonlyArray<string>) =>
  [head, ...lines.map((line) => `- ${flat(line)}`)].join("\n")

/**
 * Text from outside on one line, so that it cannot look like a line or a heading of ours. Signs that turn the direction
 * of writing go, because they would also turn the text after them.
 */
const flat = (text: string) => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, "").replaceAll(/\s+/g, " ").trim()

const whoWords = ({ callSign }: About, patient: Person | null, at: Date) => {
  const age = patient?.born == null || isDeceased(patient) ? null : ageOn(patient.born, at)
  const facts = [
    patient?.name ?? "",
    patient?.born ? `born ${recordedDay(patient.born)}${age === null ? "" : ` (${age})`}` : "",
    isDeceased(patient) ? `deceased${patient?.died ? ` ${recordedDay(patient.died.slice(0, 10))}` : ""}` : "",
    ...(patient?.flags ?? []).filter((flag) => flag !== deceased).map((flag) => flag.toLowerCase()),
    patient?.sex ?? "",
    `call sign ${callSign}`
  ]
  return flat(`PATIENT: ${facts.filter((fact) => fact !== "").join(", ")}`)
}

const standing = ({ coming, stand }: CardState, at: Date) => {
  if (coming !== "there" && stand.is !== "missing") return coming === "loading" ? "still loading" : "not all loaded"
  const [words] = tagOf(stand, at)
  const date = stand.asOf === null ? "" : `as of ${dayWords(new Date(stand.asOf))}`
  return words === "Up to date"
    ? `up to date ${date}`.trimEnd()
    : words.startsWith("As of")
    ? date
    : words.toLowerCase()
}

const nothingWords = ({ coming, stand }: CardState, name: string, past: boolean, hasOthers: boolean) =>
  coming === "there" || stand.is === "missing"
    ? emptyWords(stand, name, past, hasOthers)
    : `${name} were not all loaded when this was copied. Do not read this as “none.”`

const itemLine = ({ flags, title }: GlanceItem, about: string) =>
  `${title}${flagWords(flags)}${about === "" ? "" : `: ${about}`}`

const flagWords = (flags: ReadonlyArray<string>) => flags.length === 0 ? "" : ` [${flags.join("; ")}]`

/** A list that ends without a word would be read as all there is. */
const leftOut = ({ all, current, hasPast, items }: Card) => {
  const more = current - items.length
  return [
    ...more > 0 ? [`${more.toLocaleString("en-US")} more, not in this copy.`] : [],
    ...items.reduce((sum, { entries }) => sum + entries, 0) < all
      ? [`This is not all: the record has ${all.toLocaleString("en-US")} entries${hasPast ? ", past ones too" : ""}.`]
      : []
  ]
}

const resultLines = ({ all, items }: Results) => [
  ...items.map(resultLine),
  ...items.length === 0
    ? [english.results.noneListed(all)]
    : items.length < all
    ? [`These are ${items.length} of ${all.toLocaleString("en-US")} results.`]
    : []
]

const resultLine = ({ date, flags, name, range, title, value }: GlanceResult) =>
  `${name}${name === title ? "" : ` (${title})`}: ${unitsInWords(value)}${flagWords(flags)}; ` +
  `${range === null ? "no reference range sent" : `range ${unitsInWords(range)}`}; ` +
  (date === "" ? "no date" : recordedDay(date.slice(0, 10)))

const ownLine = (entry: SelfReported) =>
  `From the patient, not checked by a clinician: “${flat(entry.text)}” (${ownDay(entry)})`
