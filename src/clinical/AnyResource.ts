import { inlineFiles } from "./Attachment.ts"
import { codeOf, codeText, codeTexts } from "./Coding.ts"
import { element, labelOf } from "./Element.ts"
import { humanNames } from "./HumanName.ts"
import { list, members } from "./Members.ts"
import type { Reader } from "./Reader.ts"
import type { Labelled } from "./Row.ts"
import { shortened } from "./Shortened.ts"
import { codeWords, words } from "./Words.ts"

type TitleMembers = Readonly<Record<"code" | "type" | "category" | "name" | "description", unknown>>

/** Reads every type that has no reader in `Reading.ts`: common members by meaning, the rest as names and values. */
export const anyResource: Reader = {
  place: ({ resourceType }) => ({ section: "other", group: resourceType, groupTitle: words(resourceType) }),
  title: ({ json }) => titleOfAny(json),
  parts: ({ json, titleOf }) => {
    const { code, type } = members<TitleMembers>(json)
    const own = members<Readonly<Record<string, unknown>>>(json)
    const title = titleOfAny(json)
    const called = title === null ? "Document" : shortened(title)
    const leading = Object.entries(own).filter(([name]) =>
      !hidden.has(name) && !dates.includes(name) && !name.startsWith("_")
    )
    const said = (names: ReadonlyArray<readonly [string, unknown]>): ReadonlyArray<Labelled> =>
      names.slice(0, maxMembers).flatMap(([name, value]) => {
        const told = element(value, titleOf)
        return told === null || told === title ? [] : [{ label: labelOf(name), text: told }]
      })
    return {
      code: codeOf(code) ?? codeOf(list(type)[0]),
      status: codeWords(own["status"]),
      dates: said(dates.filter((name) => Object.hasOwn(own, name)).map((name) => [name, own[name]])),
      details: said(leading),
      files: leading.flatMap(([, value]) =>
        inlineFiles(value, called).filter(({ contentType }) => contentType !== null)
      )
    }
  }
}

const titleOfAny = (json: unknown) => {
  const { category, code, description, name, type } = members<TitleMembers>(json)
  return codeText(code) ?? codeTexts(type) ?? codeTexts(category) ?? humanNames(name) ?? codeText(description)
}

/** Members that are not details: they are shown elsewhere, are metadata, or are the narrative (the sender's layout). */
const hidden = new Set(["resourceType", "id", "meta", "implicitRules", "language", "text", "contained",
  "modifierExtension", "status"])

/** Members that hold dates, in the order of a row. A type's clinical date (`ClinicalDate.ts`) comes first. */
const dates = [
  "date",
  "authored",
  "startDate",
  "start",
  "sent",
  "started",
  "billablePeriod",
  "created",
  "authoredOn",
  "recorded",
  "period",
  "end",
  "received"
]

/** The maximum number of members that are shown. No FHIR type has as many, so only invalid resources lose some. */
const maxMembers = 80
