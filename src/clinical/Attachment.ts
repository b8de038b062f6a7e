import type { Attachment } from "fhir/r4.js"
import { isBlank } from "../domain/Blank.ts"
import { dateText } from "./DateText.ts"
import { joined, list, members, text } from "./Members.ts"
import type { InlineFile } from "./Row.ts"

/** A file's title, media type, size and date. Its address is included if its bytes are not in the record. */
export const attachment = (json: unknown): string | null => {
  const { contentType, creation, data, size, title, url } = members<Attachment>(json)
  const bytes = text(size) ?? (typeof data === "string" ? String(sizeOf(data)) : null)
  return joined([
    text(title),
    text(contentType),
    bytes && `${bytes} bytes`,
    dateText(creation),
    typeof data === "string" ? null : text(url)
  ])
}

/** The attachments with inline bytes. Those without a title get the resource's title. */
export const inlineFiles = (json: unknown, title: string): ReadonlyArray<InlineFile> =>
  list(json).flatMap((one) => {
    const { contentType, data, title: own } = members<Attachment>(one)
    return typeof data !== "string" || isBlank(data)
      ? []
      : [{ title: text(own) ?? title, contentType: text(contentType), base64: data }]
  })

/** The number of bytes that base64 encodes. */
export const sizeOf = (base64: string): number => {
  let digits = 0
  for (let at = 0; at < base64.length; at++) if (base64.charCodeAt(at) > 0x20 && base64[at] !== "=") digits++
  return Math.floor(digits * 3 / 4)
}
