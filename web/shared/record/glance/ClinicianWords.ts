import type { ReaderWords } from "../ReaderWords.ts"
import { emptyWords, tagOf } from "./Completeness.ts"
import { doseWords } from "./ItemWords.ts"
import { cutWords } from "./SentEntries.ts"

/** A record's words for a clinician. */
export const clinicianWords: ReaderWords = {
  tag: (stand) => tagOf(stand),
  about: () => null,
  empty: emptyWords,
  notAllLoaded: (name) => `${name} could not all be loaded. Do not read this as “none.”`,
  ifMissing: null,
  problems: "Active problems",
  dose: doseWords,
  noRanges: "The source sent no reference ranges.",
  own: {
    tag: "From the patient",
    about: "Not checked by a clinician.",
    cut: cutWords,
    all: (count) => `Show all ${count} from the patient`
  },
  mistake: "Marked as an error by the source.",
  narrative: "Show the text that the source wrote",
  source: "Show the FHIR source",
  sourceName: "FHIR source"
}
