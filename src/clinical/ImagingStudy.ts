import type { ImagingStudy, ImagingStudySeries } from "fhir/r4.js"
import { anyResource } from "./AnyResource.ts"
import { codeText, codeTexts } from "./Coding.ts"
import { list, type Members, members, text } from "./Members.ts"
import { typedReader } from "./Reader.ts"

/** A study of hundreds of pictures. It counts its pictures, whose own entries hold numbers for machines alone. */
export const imagingStudy = typedReader<ImagingStudy>({
  place: (_, source) => anyResource.place(source),
  title: (study) => titleOf(study),
  parts: (study, source) => {
    const title = titleOf(study)
    const parts = anyResource.parts({ ...source, json: { ...study, series: list(study.series).map(withoutPictures) } })
    return { ...parts, details: parts.details?.filter(({ text }) => text !== title) ?? [] }
  }
})

const titleOf = ({ description, modality, procedureCode }: Members<ImagingStudy>) =>
  text(description) ?? codeTexts(procedureCode) ?? list(modality).map(codeText).find((one) => one !== null) ?? null

const withoutPictures = (json: unknown): unknown => {
  const { instance: _, uid: __, ...series } = members<ImagingStudySeries>(json)
  return series
}
