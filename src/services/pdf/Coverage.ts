import { type Family, type Typeface, typeface, type Weight } from "./Typeface.ts"

export type Han = "chinese" | "japanese" | "korean"

/** Chooses the font of Han characters by kana or hangul in the text, because the languages share Han code points. */
export const hanOf = (text: string): Han =>
  /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? "japanese"
    : /\p{Script=Hangul}/u.test(text)
    ? "korean"
    : "chinese"

const own: ReadonlyArray<readonly [RegExp, Family]> = [
  [/\p{Script_Extensions=Hebrew}/u, "hebrew"],
  [/\p{Script_Extensions=Arabic}/u, "arabic"],
  [/\p{Script_Extensions=Thai}/u, "thai"]
]

const eastAsian = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u

/** The families that may have a character. Font files of other families are not read. */
const candidates = (character: string, han: Han): ReadonlyArray<Family> => {
  const family = own.find(([script]) => script.test(character))?.[1]
  if (family !== undefined) return [family, "sans"]
  if (eastAsian.test(character)) return ["sans", han, "chinese", "japanese", "korean"]
  // Symbols and full-width letters may be only in the Han fonts.
  return /[\p{Script=Common}\p{Script=Latin}]/u.test(character) ? ["sans", han] : ["sans"]
}

/** Invisible characters and format controls, which could make the visible text differ from the signed text. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const find = (character: string, weight: Weight, han: Han): Typeface | undefined =>
  unseen.test(character)
    ? undefined
    : candidates(character, han).map((family) => typeface(family, weight)).find((face) => face.has(character))

const caches = new Map<string, Map<string, Typeface | undefined>>()

/** Maximum number of characters in each cache; no language uses more. */
const maxCached = 30_000

/** Makes a function that finds the typeface of a character, or undefined if none shows it. */
export const coverage = (weight: Weight, han: Han): (character: string) => Typeface | undefined => {
  const key = `${weight} ${han}`
  const typefaces = caches.get(key) ?? new Map<string, Typeface | undefined>()
  caches.set(key, typefaces)
  return (character) => {
    const face = typefaces.get(character)
    if (face !== undefined || typefaces.has(character)) return face
    if (typefaces.size >= maxCached) typefaces.clear()
    typefaces.set(character, find(character, weight, han))
    return typefaces.get(character)
  }
}

/** Zero-width joiners, which some scripts need within words. */
const joiner = /[\u200c\u200d]/

const joined = /^[[\p{scx=Arabic}\p{scx=Devanagari}]&&[\p{L}\p{M}]]$/v

/** A visible text, with the typeface of each of its UTF-16 code units. */
export interface CoveredText {
  readonly text: string
  readonly faces: ReadonlyArray<Typeface>
}

/** Finds typefaces. A mark takes its letter's typeface if possible. A character without a font becomes `[U+1F9EC]`. */
export const covered = (written: string, weight: Weight): CoveredText => {
  const cover = coverage(weight, hanOf(written))
  const characters = [...written]
  const faces: Array<Typeface> = []
  let text = ""
  const add = (seen: string, face: Typeface) => {
    text += seen
    for (let unit = 0; unit < seen.length; unit++) faces.push(face)
  }
  characters.forEach((character, index) => {
    const before = faces.at(-1)
    const face = cover(character)
    const joins = joiner.test(character) &&
      [index - 1, index + 1].every((beside) => joined.test(characters[beside] ?? ""))
    const isMark = face !== undefined && face !== before && /\p{M}/u.test(character)
    if (before !== undefined && (joins || (isMark && before.has(character)))) add(character, before)
    else if (face !== undefined) add(character, face)
    else add(`[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`, typeface("sans", weight))
  })
  return { text, faces }
}
