import type { GapCause } from "../../../src/client/FhirReader.ts"
import { wordsFor } from "../../../src/domain/ResourceTypeWords.ts"
import type { KindProgress, Step } from "./Messages.ts"

export const number = (count: number) => count.toLocaleString("en-US")

const counted = (count: number, one: string, several = `${one}s`) => `${number(count)} ${count === 1 ? one : several}`

export const items = (count: number) => counted(count, "item")

export const kinds = (count: number) => counted(count, "kind")

/** "9 kinds are new." */
export const newWords = (count: number) => `${kinds(count)} ${count === 1 ? "is" : "are"} new.`

type TagKind = "good" | "warn" | "bad" | "off"

/** What the row of a kind says, and the color that repeats it. */
export const stepWords: Readonly<Record<Step, readonly [words: string, kind?: TagKind]>> = {
  open: ["Not started", "off"],
  loading: ["Loading"],
  paused: ["Waiting for VA"],
  sending: ["Sending"],
  complete: ["Done", "good"],
  empty: ["None on file", "good"],
  partial: ["Not complete", "warn"],
  unavailable: ["Could not load", "bad"],
  refused: ["Not complete", "warn"]
}

const tooLarge = "This kind is too large to send at once"

/** Why nothing of a kind could be loaded. */
const unavailable: Readonly<Record<GapCause, string>> = {
  unauthorized: "VA did not let us read this kind",
  limited: "VA limits how fast we may ask",
  refused: "VA did not give us this kind",
  unreachable: "VA did not answer",
  slow: "VA took too long to answer",
  unreadable: "We could not read VA's answer",
  lacking: "VA did not send all pages",
  large: tooLarge,
  unkept: "VA sent entries that we can't read"
}

const ofPart = (cause: GapCause | null) =>
  cause === "large" || cause === "unkept" ? unavailable[cause] : unavailable.lacking

/** Why a kind is not complete, without what is kept of it. Kinds with one cause have the same words. */
export const causeWords = ({ cause, step }: KindProgress): string | undefined => {
  switch (step) {
    case "partial":
      return ofPart(cause)
    case "unavailable":
      return unavailable[cause ?? "unreachable"]
    case "refused":
      return tooLarge
    default:
      return undefined
  }
}

/** Why a kind is not complete, and what the veteran has of it. */
export const reasonWords = (kind: KindProgress): string | undefined => {
  const cause = causeWords(kind)
  if (cause === undefined) return undefined
  if (cause === tooLarge) return `${cause}; ${kind.keepsOlder ? "we keep your older list" : "a part of it is missing"}.`
  if (kind.keepsOlder) return `${cause}. We keep your older list.`
  return kind.step === "partial" ? `${cause}. What came is here.` : `${cause}.`
}

/** What a screen reader says when a kind ended. */
export const endWords = (kind: KindProgress): string => {
  const [words] = stepWords[kind.step]
  const reason = reasonWords(kind)
  const count = kind.step === "complete" ? `, ${items(kind.count)}` : ""
  return `${wordsFor(kind.resourceType)}: ${words.toLowerCase()}${count}.${reason === undefined ? "" : ` ${reason}`}`
}
