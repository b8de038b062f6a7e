import { hasCode, means } from "./Coding.ts"
import { conceptWords } from "./ConceptWords.ts"
import { list, members, text } from "./Members.ts"

/**
 * The words of elements that change the meaning of a resource (`isModifier` in R4), unless they have their usual value.
 * A reader who overlooks one takes a guess for a diagnosis, or an order not to give a drug for an order to give it.
 */
export const modifierWords = (resourceType: string, json: unknown): ReadonlyArray<string> => {
  const own = members<ModifierMembers>(json)
  const statuses = [own.status, own.verificationStatus, own.lifecycleStatus, own.participantStatus]
  return [
    ...statuses.some((status) => means(status, "entered-in-error")) ? ["Entered in error"] : [],
    ...verifications.filter(([code]) => means(own.verificationStatus, code)).map(([, words]) => words),
    ...listed(statusWords(resourceType, text(own.status))),
    ...isTrue(own.doNotPerform) ? [resourceType === "MedicationRequest" ? doNotGive : "Do not perform"] : [],
    ...listed(intents.get(text(own.intent) ?? "")),
    ...isTrue(own.isSubpotent) ? ["Subpotent"] : [],
    ...text(own.actuality) === "potential" ? ["Potential event"] : [],
    ...resourceType === "Patient" ? aboutPatient(own) : []
  ]
}

/** The mark of an order not to give a medication. */
export const doNotGive = "Do not give"

type ModifierMembers = Readonly<
  Record<
    | "active"
    | "actuality"
    | "deceasedBoolean"
    | "deceasedDateTime"
    | "doNotPerform"
    | "intent"
    | "isSubpotent"
    | "lifecycleStatus"
    | "link"
    | "participantStatus"
    | "status"
    | "verificationStatus",
    unknown
  >
>

/** Some servers send the string "true" instead of the boolean. */
export const isTrue = (json: unknown): boolean => json === true || json === "true"

const listed = (words: string | undefined) => words === undefined ? [] : [words]

/** Codes of HL7's condition-ver-status and allergyintolerance-verification, except `confirmed`. */
const verifications: ReadonlyArray<readonly [code: string, words: string]> = [
  ["provisional", "Provisional"],
  ["differential", "Differential"],
  ["unconfirmed", "Unconfirmed"],
  ["refuted", "Refuted"]
]

/** A verification status, unless it is `confirmed`: where the source sends none, nothing casts doubt on the entry. */
export const doubts = (verificationStatus: unknown): string | null =>
  hasCode(verificationStatus, "confirmed") ? null : conceptWords(verificationStatus)

/** True if a diagnosis or an allergy was recorded as a guess. */
export const isUnconfirmed = (verificationStatus: unknown): boolean =>
  ["provisional", "differential", "unconfirmed"].some((code) => means(verificationStatus, code))

/** A reader of a result knows neither that it may change, nor that there will be none, without these words. */
const resultStatuses: ReadonlyMap<string, string> = new Map([
  ["amended", "Amended"],
  ["appended", "Appended"],
  ["cancelled", "Cancelled"],
  ["corrected", "Corrected"],
  ["partial", "Partial"],
  ["preliminary", "Preliminary"],
  ["registered", "No result yet"],
  ["unknown", "Status not known"]
])

const statusWords = (resourceType: string, status: string | null) => {
  switch (status) {
    case "not-done":
      return resourceType === "Immunization" || resourceType === "MedicationAdministration" ? "Not given" : "Not done"
    case "not-taken":
      return "Not taken"
    case "superseded":
      return "Superseded"
  }
  return resourceType === "Observation" || resourceType === "DiagnosticReport"
    ? resultStatuses.get(status ?? "")
    : undefined
}

/** `plan` is absent, because servers use it for medications that a patient reports to take (US Core). */
const intents: ReadonlyMap<string, string> = new Map([
  ["option", "Option"],
  ["proposal", "Proposal"]
])

const aboutPatient = ({ active, deceasedBoolean, deceasedDateTime, link }: Partial<ModifierMembers>) => [
  ...text(deceasedDateTime) !== null || isTrue(deceasedBoolean) ? ["Deceased"] : [],
  ...active === false ? ["Not in use"] : [],
  ...list(link).some((one) => text(members<{ readonly type: string }>(one).type) === "replaced-by")
    ? ["Replaced by another record"]
    : []
]

/**
 * The contents of every `modifierExtension`, at any depth, and of `implicitRules`: their meaning is not known here. The
 * JSON text tells quickly that most resources have none.
 */
export const unknownModifiers = (json: string, parsed: unknown): ReadonlyArray<unknown> =>
  /modifierExtension|implicitRules|\\u/.test(json) ? modifiersIn(parsed, 0) : []

const modifiersIn = (json: unknown, level: number): ReadonlyArray<unknown> =>
  typeof json !== "object" || json === null || level > maxLevel
    ? []
    : Object.entries(json).flatMap(([name, value]) =>
      name === "modifierExtension" || name === "implicitRules" ? list(value) : modifiersIn(value, level + 1)
    )

/** A record has at most 64 nested levels. */
const maxLevel = 64
