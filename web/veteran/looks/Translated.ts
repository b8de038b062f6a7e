import type { Disclosure, DisclosureKind } from "../../../src/domain/Disclosure.ts"
import { releaseTitle } from "../../../src/domain/Document.ts"
import { inWords } from "../../../src/domain/ResourceTypeWords.ts"
import { joined, typesWords } from "../../shared/language/Names.ts"

/** The service's sentences in another language. */
export interface Summaries {
  /** Words that stand in place of a name that nobody knows, and other fixed parts of a sentence. */
  readonly parts: Readonly<Record<string, string>>
  readonly quoted: (title: string) => string
  readonly app: (name: string) => string
  readonly release: (recipient: string) => string
  readonly withAlso: (types: string, also: string) => string
  /** Each English sentence of a kind, with its translation. Both have the same holes in braces. */
  readonly kinds: Readonly<Partial<Record<DisclosureKind, ReadonlyArray<readonly [english: string, own: string]>>>>
}

type Line = Pick<Disclosure, "kind" | "resourceTypes" | "summary">

/**
 * Translates the service's sentence about an event. Its kinds of data come from the line's own members; the names stay.
 * Returns undefined for any sentence that is not understood whole: it is shown as it is, rather than half of it.
 */
export const translated = (line: Line, summaries: Summaries): string | undefined => {
  for (const [english, own] of summaries.kinds[line.kind] ?? []) {
    const found = filled(english, line.summary)
    if (found === undefined) continue
    const parts = Object.entries(found).map(([hole, text]) =>
      [hole, translators[hole]!(text, line, summaries)] as const
    )
    if (parts.some(([, text]) => text === undefined)) continue
    // A name may look like a hole, so each hole of the template is filled once.
    const values = Object.fromEntries(parts)
    const sentence = own.split(/[{}]/).map((part, index) => index % 2 === 0 ? part : values[part]).join("")
    // A name that begins the sentence stays as it is written.
    return Object.values(summaries.parts).some((part) => sentence.startsWith(part)) || own.startsWith("{app}")
      ? sentence.slice(0, 1).toUpperCase() + sentence.slice(1)
      : sentence
  }
  return undefined
}

/** What stands in the holes of a template, or undefined if the text is no sentence of this template. */
const filled = (template: string, text: string): Readonly<Record<string, string>> | undefined => {
  const [first = "", ...rest] = template.split(/[{}]/)
  if (!text.startsWith(first)) return undefined
  const found: Record<string, string> = {}
  let at = first.length
  for (let index = 0; index < rest.length; index += 2) {
    const [hole, after] = [rest[index]!, rest[index + 1]!]
    const isLast = index + 2 >= rest.length
    const end = isLast ? text.length - after.length : text.indexOf(after, at)
    if (end < at || !text.startsWith(after, end)) return undefined
    found[hole] = text.slice(at, end)
    at = end + after.length
  }
  return at === text.length ? found : undefined
}

type Translate = (text: string, line: Line, summaries: Summaries) => string | undefined

const partOf = (text: string, { parts }: Summaries) =>
  Object.entries(parts).find(([english]) => english.toLowerCase() === text.toLowerCase())?.[1]

const nameOf: Translate = (text, _, summaries) => text === "" ? undefined : partOf(text, summaries) ?? text

const between = (text: string, before: string, after: string) =>
  text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length
    ? text.slice(before.length, -after.length)
    : undefined

const documentOf: Translate = (text, _, summaries) => {
  const title = between(text, "“", "”")
  if (title === undefined) return partOf(text, summaries)
  const isRelease = title.startsWith(releaseTitle)
  return summaries.quoted(isRelease ? summaries.release(title.slice(releaseTitle.length)) : title)
}

const appOf: Translate = (text, _, summaries) => {
  const name = between(text.replace(/^T/, "t"), "the app “", "”")
  return name === undefined ? partOf(text, summaries) : summaries.app(name)
}

const listed = (text: string, types: ReadonlyArray<string>) =>
  types.length > 0 && text === inWords(types) ? withoutCapital(typesWords(types)) : undefined

/** Types begin with a capital letter, as in a list. In a Spanish sentence they do not. */
const withoutCapital = (text: string) => text.toLowerCase()

const typesOf: Translate = (text, { resourceTypes = {} }, summaries) =>
  listed(text, Object.keys(resourceTypes)) ?? partOf(text, summaries)

const readOf: Translate = (text, { resourceTypes = {} }) =>
  listed(text, Object.keys(resourceTypes).filter((type) => resourceTypes[type]! > 0))

/** What can be seen beside the types, in the service's order. */
const besides = ["your own entries", "their notes", "the list of your documents"]

const alsoOf = (text: string, { parts }: Summaries) => {
  for (let chosen = 1; chosen < 2 ** besides.length; chosen++) {
    const some = besides.filter((_, index) => (chosen >> index) % 2 === 1)
    if (text === new Intl.ListFormat("en-US").format(some)) return joined(some.map((part) => parts[part]!))
  }
  return undefined
}

const seenOf: Translate = (text, line, summaries) => {
  const types = inWords(Object.keys(line.resourceTypes ?? {}))
  const whole = typesOf(text, line, summaries) ?? alsoOf(text, summaries)
  if (whole !== undefined || types === "" || !text.startsWith(`${types}, with `)) return whole
  const also = alsoOf(text.slice(types.length + ", with ".length), summaries)
  return also === undefined ? undefined : summaries.withAlso(typesOf(types, line, summaries)!, also)
}

const translators: Readonly<Record<string, Translate>> = {
  provider: nameOf,
  recipient: nameOf,
  document: documentOf,
  app: appOf,
  types: typesOf,
  read: readOf,
  seen: seenOf
}
