import type { Disclosure } from "../../../../src/domain/Disclosure.ts"
import type { SharingKind } from "../../../../src/domain/Sharing.ts"

/** "Allowed by your share until Dec 21, 2026". Without an end, `until` is undefined. */
const allowed: Readonly<Record<SharingKind, (until: string | undefined) => string>> = {
  provider: (until) => `Allowed by your share${untilWords(until)}`,
  app: (until) => `Allowed by your share${untilWords(until)}`,
  link: (until) => `Allowed by your link${untilWords(until)}`,
  release: (until) => `Allowed by your release${untilWords(until)}`
}

/** The words of the list of looks, in English, which is the source. */
export const english = {
  title: "Who looked",
  only: "Only",
  oneShare: "one share",
  all: "Show all",
  everything: "Show everything",
  everythingHint: "What you did yourself and updates, too.",
  none: "No one has looked.",
  noneSince: (day: string) => `No one has looked since ${day}.`,
  stopping: "We are still trying to stop this.",
  more: "Show more",
  today: "Today",
  newSince: (day: string) => `New since ${day}`,
  before: "Before that",
  isNew: "New",
  allowed,
  noKinds: "No kinds of your record were in it.",
  noItems: "None",
  /** The sentence about an event in the page's language. If it is undefined, the service's English one is shown. */
  summary: (_: Pick<Disclosure, "kind" | "resourceTypes" | "summary">): string | undefined => undefined,
  proof: {
    check: "Check the proof",
    mismatch: "This line does not match the log. Save it and tell support.",
    notYet: "Not in the log yet: in a minute.",
    proved: (time: string) =>
      `This line is in the log that we signed. It was not changed. Your device checked it at ${time}.`,
    unsigned:
      "This line is in the log. This browser can’t check the signature: try a newer one, or save the line and check it elsewhere.",
    what: "What was checked",
    line: "Line",
    of: (number: number, all: number) => `${number} of ${all}`,
    key: "The log’s key",
    save: "Save this line with its proof"
  },
  file: {
    csv: "Save as a file (CSV)",
    fhir: "Save the looks as FHIR",
    making: "Making the file"
  }
}

/** Every other language has the same keys. A missing one does not compile. */
export type LooksWords = typeof english

function untilWords(until: string | undefined) {
  return until === undefined ? "" : ` until ${until}`
}
