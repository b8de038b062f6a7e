import { isBlank } from "../domain/Blank.ts"
import { ExactNumber } from "./ExactJson.ts"
import { shortened } from "./Shortened.ts"

/** The shape of an element whose members may have any JSON value. */
export type Members<T> = { readonly [Name in keyof T]?: unknown }

export const members = <T>(json: unknown): Members<T> =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber)
    ? json as Members<T>
    : {}

/** The values of a member that may repeat. FHIR has an array; some servers send one value, or null in the array. */
export const list = (json: unknown): ReadonlyArray<unknown> =>
  (Array.isArray(json) ? json : [json]).filter((value) => value !== undefined && value !== null)

/** The maximum number of characters that are read of a text. A row shows only the first few thousand. */
const maxLength = 100_000

/** A string that is not blank, or a number as it was sent. */
export const text = (json: unknown): string | null => {
  if (typeof json === "string") return isBlank(json) ? null : shortened(json.trim(), maxLength)
  if (typeof json === "number") return String(json)
  return json instanceof ExactNumber ? shortened(json.source, maxLength) : null
}

export const yesNo = (json: unknown): string | null => json === true ? "Yes" : json === false ? "No" : null

/** Joins the texts that are present. Returns null if there are none. */
export const joined = (texts: Iterable<string | null | undefined>, separator = ", "): string | null =>
  shortened(
    [...texts].filter((text) => text !== null && text !== undefined && text !== "").join(separator),
    maxLength
  ) ||
  null

/** Joins the texts that `read` returns for the values of a member that may repeat. */
export const each = (json: unknown, read: (value: unknown) => string | null, separator = ", "): string | null =>
  joined(list(json).map(read), separator)
