import type { Document } from "../../domain/Document.ts"
import { fileName, notADevice } from "../../domain/DocumentFileName.ts"
import { uniqueNames } from "../document/UniqueNames.ts"
import { dayOf } from "../platform/Instants.ts"

/** Windows takes no such character in the name of a file, and each system has one that separates folders. */
const refused = /[\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]/gu

/** Longest name in bytes of UTF-8. With its folder and the number of a repeated title it has at most 200. */
const maxBytes = 200 - "documents/ (1000000)".length

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Cuts a name between two characters as people see them, and keeps its extension. */
const shortened = (name: string) => {
  const dot = name.lastIndexOf(".")
  const [base, extension] = [name.slice(0, dot), name.slice(dot)]
  let [end, room] = [0, maxBytes - extension.length]
  for (const { index, segment } of graphemes.segment(base)) {
    room -= Buffer.byteLength(segment)
    if (room < 0) break
    end = index + segment.length
  }
  return `${end === 0 ? "_" : base.slice(0, end)}${extension}`
}

/** A name that begins with a full stop is hidden by Linux and macOS. */
const safeTitle = (title: string) => title.normalize("NFC").replaceAll(refused, "_").replace(/^[.\s]+/, "_")

/** Names files so that each system can unpack them into one folder, the document's title in them. */
export const documentNames = (documents: ReadonlyArray<Document>): ReadonlyArray<string> =>
  uniqueNames(documents.map((document) =>
    document.kind === "roi"
      ? `release-of-information-${dayOf(document.signedAt!)}.pdf`
      : shortened(fileName({ ...document, title: safeTitle(document.title) }))
  ))

/** Only the form of a type's name is checked when it is stored, and two may differ in case alone. */
export const typeNames = (resourceTypes: ReadonlyArray<string>): ReadonlyArray<string> =>
  uniqueNames(resourceTypes.map((type) => `${notADevice(type)}.ndjson`))
