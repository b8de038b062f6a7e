import type { GapCause } from "../../../src/client/FhirReader.ts"
import { typeWords } from "../../shared/language/Names.ts"
import type { KindProgress, Step } from "./Messages.ts"
import { updateWords } from "./Words.ts"

/** The color that repeats what the row of a kind says. */
export const stepColors: Readonly<Partial<Record<Step, "good" | "warn" | "bad" | "off">>> = {
  open: "off",
  complete: "good",
  empty: "good",
  partial: "warn",
  unavailable: "bad",
  refused: "warn"
}

/** Why a kind is not complete, without what is kept of it. */
export const causeOf = ({ cause, step }: KindProgress): GapCause | undefined => {
  switch (step) {
    case "partial":
      return cause === "large" || cause === "unkept" ? cause : "lacking"
    case "unavailable":
      return cause ?? "unreachable"
    case "refused":
      return "large"
    default:
      return undefined
  }
}

/** Why a kind is not complete, and what the veteran has of it. */
export const reasonWords = (kind: KindProgress): string | undefined => {
  const of = causeOf(kind)
  if (of === undefined) return undefined
  const words = updateWords()
  const cause = words.causes[of]
  if (of === "large") return kind.keepsOlder ? words.large.older(cause) : words.large.part(cause)
  if (kind.keepsOlder) return words.older(cause)
  return kind.step === "partial" ? words.part(cause) : `${cause}.`
}

/** What a screen reader says when a kind ended. */
export const endWords = (kind: KindProgress): string => {
  const { ended, steps } = updateWords()
  const reason = reasonWords(kind)
  const words = ended(typeWords(kind.resourceType), steps[kind.step], kind.step === "complete" ? kind.count : undefined)
  return reason === undefined ? words : `${words} ${reason}`
}
