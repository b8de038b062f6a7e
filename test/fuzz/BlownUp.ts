import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readLines } from "../support/Collection.ts"
import { pick, type Random } from "../support/Random.ts"

/** A FHIR resource of the fixtures, with one member far larger than in any real resource. */
export interface BlownUp {
  readonly resourceType: string
  readonly id: string
  readonly text: string
  /** Names the member, how it was blown up, and its size, for the message of a failure. */
  readonly what: string
}

/** Returns a whole number from `least` to `most`. Each order of magnitude is equally likely. */
export const magnitude = (least: number, most: number, random: Random) => Math.floor(least * (most / least) ** random())

/**
 * Texts to repeat: ordinary ones, and characters that grow under NFKC, NFKD, case mapping or HTML decoding, are
 * invisible, or end a token.
 */
const units = [
  "a",
  "7",
  " ",
  "\ufdfa",
  "\u0390",
  "\u1f82",
  "\ufb03",
  "\u0130",
  "\u00df",
  "e\u0301\u0301\u0301",
  "\u0361",
  "\u200b",
  "\u034f",
  "\u3164",
  "\u202e",
  "\ud83d\ude00",
  "\u0639",
  "\u4e2d",
  "&lt;",
  "&fjlig;",
  "&#x1F600;",
  "<b>",
  "</p>",
  "<!--",
  "\\\\",
  "\\u0041",
  "\\n",
  "123456,",
  "HIV ",
  "Z21.",
  "Observation/1 ",
  "https://",
  "a/",
  "T+",
  "-",
  "'",
  "|",
  "{",
  "\\\""
]

/** Texts before and after the repeated part, so that readers take the whole for a date, a code or a name. */
const frames: ReadonlyArray<readonly [string, string]> = [
  ["", ""],
  ["", "x"],
  ["2020-01-01T00:00:00", "Z"],
  ["2020-01-01T", ""],
  ["Observation/", ""],
  ["https://example.org/Observation/", "/_history/1"],
  ["urn:uuid:", ""],
  ["F10", ""],
  ["<div xmlns=\\\"http://www.w3.org/1999/xhtml\\\">", "</div>"],
  ["data:", ";base64,"]
]

const repeated = (unit: string, size: number) => unit.repeat(Math.max(1, Math.floor(size / unit.length)))

/** Each way returns the JSON text that replaces the member. `size` is roughly its length in characters. */
const ways: Readonly<Record<string, (json: string, size: number, random: Random) => string>> = {
  length: (_, size, random) => {
    const [before, after] = pick(frames, random)
    return `"${before}${repeated(pick(units, random), size)}${after}"`
  },
  mixture: (_, size, random) => {
    const parts = Array.from({ length: 64 }, () => pick(units, random)).join("")
    return `"${repeated(parts, size)}"`
  },
  depth: (json, size, random) => {
    const levels = random() < 0.7 ? magnitude(2, 60, random) : Math.min(100_000, size)
    return random() < 0.5
      ? "[".repeat(levels) + json + "]".repeat(levels)
      : "{\"item\":".repeat(levels) + json + "}".repeat(levels)
  },
  count: (json, size) => `[${repeated(`${json},`, size)}${json}]`,
  members: (json, size) => {
    const count = Math.max(1, Math.floor(size / (json.length + 12)))
    return `{${Array.from({ length: count }, (_, index) => `"m${index}":${json}`).join(",")}}`
  },
  strings: (_, size, random) => `[${repeated(`"${pick(units, random)}",`, size)}""]`,
  digits: (_, size, random) => pick(["", "-", "0.", "1e", "1e-"], random) + repeated("7", size)
}

const folder = fileURLToPath(new URL("../fixtures", import.meta.url))

/** A few resources of each type. */
const seeds: ReadonlyArray<any> = Object.values(
  Object.groupBy(
    globSync(["clinical/*.ndjson", "fhir/*/*.ndjson.gz"], { cwd: folder }).sort()
      .flatMap((path) => readLines(`${folder}/${path}`))
      .map((line) => JSON.parse(line)),
    ({ resourceType }) => resourceType
  )
).flatMap((resources) => resources!.slice(0, 6))

/** Members that decide how items are classified, found, dated and shown. */
const readForMeaning = new Set([
  "code",
  "coding",
  "system",
  "display",
  "text",
  "div",
  "reference",
  "value",
  "url",
  "start",
  "category",
  "effectiveDateTime",
  "family",
  "given",
  "identifier",
  "period",
  "questionnaire",
  "authoredOn",
  "recordedDate"
])

const placeholder = "@@blown up@@"

/** Blows up one member of a resource, but never its type or id, because a sync would refuse the resource. */
export const blowUp = (random: Random): BlownUp => {
  const resource = structuredClone(pick(seeds, random))
  const places: Array<{ readonly parent: any; readonly key: string; readonly path: string }> = []
  const walk = (parent: any, path: string) => {
    for (const key of Object.keys(parent)) {
      if (path !== "" || (key !== "resourceType" && key !== "id")) places.push({ parent, key, path: `${path}.${key}` })
      if (typeof parent[key] === "object" && parent[key] !== null) walk(parent[key], `${path}.${key}`)
    }
  }
  walk(resource, "")
  const read = places.filter(({ key }) => readForMeaning.has(key))
  const { key, parent, path } = pick(read.length > 0 && random() < 0.6 ? read : places, random)
  const [name, way] = pick(Object.entries(ways), random)
  const size = random() < 0.02 ? magnitude(4_000_000, 40_000_000, random) : magnitude(100, 4_000_000, random)
  const json = JSON.stringify(parent[key])
  parent[key] = placeholder
  const text = JSON.stringify(resource).replace(`"${placeholder}"`, () => way(json, size, random))
  const { id, resourceType } = resource
  return { resourceType, id, text, what: `${resourceType}${path} by ${name}, ${text.length} characters` }
}

/** Returns a request value of up to about `most` characters, in which one part is repeated. */
export const blownText = (most: number, random: Random): string => {
  const [before, after] = pick(frames, random)
  return `${before}${repeated(pick(units, random), magnitude(1, most, random))}${after}`
}
