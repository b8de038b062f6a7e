import { isBlank } from "../domain/Blank.ts"
import { ExactNumber } from "./ExactJson.ts"
import { shortened } from "./Shortened.ts"

/** What may stand in an element of this shape; what does stand in it may be anything. */
export type Members<T> = { readonly [Name in keyof T]?: unknown }

/** The members of an object; of anything else, none. */
export const members = <T>(json: unknown): Members<T> =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber)
    ? json as Members<T>
    : {}

/** What stands in a member that may repeat. FHIR has an array there; some servers send one value by itself, or null among them. */
export const list = (json: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(json) ? json : [json]).filter((value) => value !== undefined && value !== null)

/** Nothing that is read has more characters: what a row shows of a text has some thousand. */
const longest = 100_000

/** A string that shows something, or a number as it was sent. */
export const text = (json: unknown): string | null => {
  if (typeof json === "string") return isBlank(json) ? null : shortened(json.trim(), longest)
  if (typeof json === "number") return String(json)
  return json instanceof ExactNumber ? shortened(json.source, longest) : null
}

export const yesNo = (json: unknown): string | null => json === true ? "Yes" : json === false ? "No" : null

/** The texts that there are, one after the other; null when there is none. */
export const joined = (texts: Iterable<string | null | undefined>, separator = ", "): string | null =>
  shortened([...texts].filter((text) => text !== null && text !== undefined && text !== "").join(separator), longest) ||
  null

/** `joined` of what a reading makes of each value of a member that may repeat. */
export const each = (json: unknown, read: (value: unknown) => string | null, separator = ", "): string | null =>
  joined(list(json).map(read), separator)
