import { codeOf, codeText, codeTexts } from "./Coding.ts"
import { dateText, period } from "./DateText.ts"
import { humanNames } from "./HumanName.ts"
import { labelled } from "./Labels.ts"
import { list, members, text } from "./Members.ts"
import type { Reader } from "./Reader.ts"
import { codeWords, words } from "./Words.ts"

type Named = Readonly<
  Record<"code" | "type" | "category" | "name" | "description" | "status" | "date" | "period", unknown>
>

/** Reads what no other reader does: by the members that resources of many types have. */
export const anyResource: Reader = {
  place: ({ resourceType }) => ({ section: "other", group: resourceType, groupTitle: words(resourceType) }),
  title: ({ json }) => {
    const { category, code, description, name, type } = members<Named>(json)
    return codeText(code) ?? codeTexts(type) ?? codeTexts(category) ?? humanNames(name) ?? text(description)
  },
  parts: ({ json }) => {
    const { code, date, period: during, status, type } = members<Named>(json)
    return {
      code: codeOf(code) ?? codeOf(list(type)[0]),
      status: codeWords(status),
      dates: labelled({ Date: dateText(date), Period: period(during) })
    }
  }
}
