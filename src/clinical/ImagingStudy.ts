import type { ImagingStudy, ImagingStudySeries } from "fhir/r4.js"
import { anyResource } from "./AnyResource.ts"
import { codeText, codeTexts } from "./Coding.ts"
import { list, members, text } from "./Members.ts"
import type { Reader } from "./Reader.ts"

/** A study of hundreds of pictures. It counts its pictures, whose own entries hold numbers for machines alone. */
export const imagingStudy: Reader = {
  ...anyResource,
  title: ({ json }) => titleOf(json),
  parts: (source) => {
    const study = members<ImagingStudy>(source.json)
    const title = titleOf(source.json)
    const parts = anyResource.parts({ ...source, json: { ...study, series: list(study.series).map(withoutPictures) } })
    return { ...parts, details: parts.details?.filter(({ text }) => text !== title) ?? [] }
  }
}

const titleOf = (json: unknown) => {
  const { description, modality, procedureCode } = members<ImagingStudy>(json)
  return text(description) ?? codeTexts(procedureCode) ?? list(modality).map(codeText).find((one) => one !== null) ??
    null
}

const withoutPictures = (json: unknown): unknown => {
  const { instance: _, uid: __, ...series } = members<ImagingStudySeries>(json)
  return series
}
