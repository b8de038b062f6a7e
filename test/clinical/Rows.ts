import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { entryOf, rowOf } from "../../src/clinical/Reading.ts"
import type { Entry, Row } from "../../src/clinical/Row.ts"
import { titlesOf } from "../../src/clinical/Titles.ts"

const folder = fileURLToPath(new URL("../fixtures/clinical", import.meta.url))

/**
 * Returns a row as lines. The first line has title, code, status and flags. One line follows for each date, detail and
 * file.
 */
export const shown = ({ code, dates, details, files, flags, status, title }: Row): string =>
  [
    [title, code ?? "-", status ?? "-", ...flags.map((flag) => `!${flag}`)].join(" | "),
    ...[...dates, ...details].map(({ label, text }) => `${label}: ${text}`),
    ...files.map((file) => `[${file.title}, ${file.contentType}, ${file.base64.length} characters]`)
  ].join("\n")

const idOf = (text: string): string => JSON.parse(text).id

const typeOf = (text: string): string => JSON.parse(text).resourceType

const resources = new Map(
  readdirSync(folder).filter((file) => file.endsWith(".ndjson")).map((file) => {
    const texts = readFileSync(`${folder}/${file}`, "utf8").split("\n").filter((line) => line !== "")
    return [file.replace(".ndjson", ""), texts]
  })
)

/** Returns the row of a resource in the fixtures. Its references get titles from the same patient's resources. */
export const fixtureRow = (patient: string, reference: string): string => {
  const texts = resources.get(patient) ?? []
  const titleOf = titlesOf(texts.map((text) => entryOf(typeOf(text), idOf(text), text)))
  const text = texts.find((text) => `${typeOf(text)}/${idOf(text)}` === reference)!
  return shown(rowOf(typeOf(text), idOf(text), text, titleOf))
}

interface Resource {
  readonly resourceType: string
  readonly [member: string]: unknown
}

/** The row of a resource that the test wrote. */
export const rowFor = (resource: Resource): string =>
  shown(rowOf(resource.resourceType, "1", JSON.stringify(resource), () => undefined))

/** The section and group of a resource. */
export const placeFor = (
  resource: Resource
): Pick<Entry, "section" | "group" | "groupTitle"> => {
  const { group, groupTitle, section } = entryOf(resource.resourceType, "1", JSON.stringify(resource))
  return { section, group, groupTitle }
}
