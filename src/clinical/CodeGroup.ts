import { codeText, codings } from "./Coding.ts"
import { text } from "./Members.ts"
import type { Place } from "./Reader.ts"

/**
 * The group of all resources with this code, even if their words for it differ. A LOINC code is preferred to a server's
 * own code. Groups are sorted by their titles. `within` is a heading that precedes the group's title.
 */
export const codeGroup = (code: unknown, within: string | null): Omit<Place, "section"> => {
  const words = codeText(code) ?? "Without a code"
  const title = within === null ? words : `${within}: ${words}`
  const coded = codings(code).filter((coding) => text(coding.code) !== null)
  const { code: value, system } = coded.find(({ system }) => system === "http://loinc.org") ?? coded[0] ?? {}
  const identity = text(value) === null ? words.toLowerCase() : `${text(system) ?? ""}|${text(value)}`
  return {
    group: `${title.toLowerCase().replaceAll("\t", " ").slice(0, 100)}\t${within?.toLowerCase() ?? ""}|${identity}`,
    groupTitle: title
  }
}
