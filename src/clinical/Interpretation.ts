import { codeText, codings } from "./Coding.ts"
import { joined, list, text } from "./Members.ts"

/** Words for the codes of HL7's ObservationInterpretation, and of the older HL7 v2 table 0078. */
const words: ReadonlyMap<string, string> = new Map([
  ["A", "Abnormal"],
  ["AA", "Critically abnormal"],
  ["B", "Better"],
  ["CAR", "Carrier"],
  ["D", "Significantly lower than before"],
  ["DET", "Detected"],
  ["E", "Equivocal"],
  ["EXP", "Exposed"],
  ["H", "High"],
  ["HH", "Critically high"],
  ["HM", "Hold for medical review"],
  ["HU", "Significantly high"],
  ["HX", "Above the high threshold"],
  ["I", "Intermediate"],
  ["IE", "Insufficient evidence"],
  ["IND", "Indeterminate"],
  ["L", "Low"],
  ["LL", "Critically low"],
  ["LU", "Significantly low"],
  ["LX", "Below the low threshold"],
  ["N", "Normal"],
  ["NCL", "No guideline"],
  ["ND", "Not detected"],
  ["NEG", "Negative"],
  ["NR", "Non-reactive"],
  ["NS", "Not susceptible"],
  ["POS", "Positive"],
  ["R", "Resistant"],
  ["RR", "Reactive"],
  ["S", "Susceptible"],
  ["SDD", "Susceptible, depending on the dose"],
  ["U", "Significantly higher than before"],
  ["UNX", "Unexpected"],
  ["W", "Worse"],
  ["WR", "Weakly reactive"],
  ["<", "Below what can be measured"],
  [">", "Above what can be measured"]
])

const unremarkable = new Set(
  ["Normal", "Negative", "Not detected", "Non-reactive", "Susceptible", "Not applicable"].map((word) =>
    word.toLowerCase()
  )
)

/** The interpretations in words, each with the code that laboratories print: `High (H)`. */
export const interpretation = (json: unknown): string | null => joined(list(json).map(one))

/** The words of interpretations that must not be overlooked. */
export const alarming = (json: unknown): ReadonlyArray<string> =>
  list(json).map(inWords).filter((word) => word !== null).filter((word) => !unremarkable.has(word.toLowerCase()))

const one = (json: unknown) => {
  const [mark, word] = [markOf(json), inWords(json)]
  return mark === null || mark === word ? word : `${word} (${mark})`
}

const inWords = (json: unknown) => words.get(markOf(json) ?? "") ?? codeText(json)

/** The code of an interpretation. Some servers send the code as `text` instead. */
const markOf = (json: unknown) => {
  const sent = codeText(json)
  return codings(json).map(({ code }) => text(code)).find((code) => code !== null) ??
    (words.has(sent ?? "") ? sent : null)
}
