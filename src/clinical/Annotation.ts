import type { Annotation } from "fhir/r4.js"
import { dateText } from "./DateText.ts"
import { each, joined, members, text } from "./Members.ts"
import { reference, type TitleOf } from "./Reference.ts"

export const annotation = (json: unknown, titleOf: TitleOf): string | null => {
  const { authorReference, authorString, text: words, time } = members<Annotation>(json)
  const source = joined([text(authorString) ?? reference(authorReference, titleOf), dateText(time)])
  const said = text(json) ?? text(words)
  return said && joined([said, source && `(${source})`], " ")
}

export const annotations = (json: unknown, titleOf: TitleOf): string | null =>
  each(json, (note) => annotation(note, titleOf), "\n")
