import type { Dosage, DosageDoseAndRate } from "fhir/r4.js"
import { codeText, codeTexts } from "./Coding.ts"
import { each, joined, list, type Members, members, text } from "./Members.ts"
import { quantity, range, ratio } from "./Quantity.ts"
import { timing } from "./Timing.ts"

/**
 * How a medication is taken: the written text with the coded dose, "as needed" and the maxima, which the text may lack.
 * Without a written text, the dose, route and timing are shown. The patient's instructions come last.
 */
export const dosage = (json: unknown): string | null => {
  const { additionalInstruction, doseAndRate: doses, patientInstruction, text: own } = members<Dosage>(json)
  const written = text(json) ?? text(own)
  const dose = each(doses, doseAndRate)
  return joined([
    ...written
      ? [
        joined([written, dose && `(dose ${dose})`], " "),
        tellsNeed(written, members<Dosage>(json)) ? null : asNeeded(members<Dosage>(json)),
        ...maxima(members<Dosage>(json))
      ]
      : [parts(members<Dosage>(json))],
    ...[codeTexts(additionalInstruction), text(patientInstruction)].filter((told) => told !== written)
  ], "; ")
}

/** Each dosage, in the order in which to follow them. */
export const dosages = (json: unknown): string | null =>
  joined(
    [...list(json)].sort((a, b) => sequence(a) - sequence(b)).map(dosage),
    "\n"
  )

const sequence = (json: unknown) => {
  const number = Number(text(members<Dosage>(json).sequence) ?? 0)
  return Number.isFinite(number) ? number : 0
}

const parts = (dosage: Members<Dosage>) =>
  joined([
    amount(dosage.doseAndRate),
    codeText(dosage.method),
    codeText(dosage.route),
    codeText(dosage.site),
    timing(dosage.timing),
    asNeeded(dosage),
    ...maxima(dosage)
  ])

const asNeeded = ({ asNeededBoolean, asNeededCodeableConcept }: Members<Dosage>) =>
  said("as needed for", codeText(asNeededCodeableConcept)) ?? (asNeededBoolean === true ? "as needed" : null)

/** Whether a written text says "as needed", and the coded reason if there is one. */
const tellsNeed = (written: string, { asNeededCodeableConcept }: Members<Dosage>) =>
  /\b(?:need(?:s|ed)?|prn)\b/i.test(written) &&
  written.toLowerCase().includes(codeText(asNeededCodeableConcept)?.toLowerCase() ?? "")

const maxima = ({ maxDosePerAdministration, maxDosePerLifetime, maxDosePerPeriod }: Members<Dosage>) => [
  said("at most", ratio(maxDosePerPeriod)),
  said("at most", quantity(maxDosePerAdministration), "at once"),
  said("at most", quantity(maxDosePerLifetime), "in a lifetime")
]

/** `5 mg at 2 mL per 1 h`, from one or more values of `doseAndRate`. */
export const amount = (doses: unknown): string | null => countedOrMeasured(each(doses, doseAndRate))

/** A number without a unit needs the word `dose`. */
const countedOrMeasured = (dose: string | null) => dose && /^\d[\d.]*$/.test(dose) ? `dose ${dose}` : dose

const doseAndRate = (json: unknown) => {
  const { doseQuantity, doseRange, rateQuantity, rateRange, rateRatio } = members<DosageDoseAndRate>(json)
  return joined([
    quantity(doseQuantity) ?? range(doseRange),
    said("at", quantity(rateQuantity) ?? range(rateRange) ?? ratio(rateRatio))
  ], " ")
}

const said = (before: string, value: string | null, after?: string) => value && joined([before, value, after], " ")
