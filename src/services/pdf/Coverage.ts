import { type Family, type Typeface, typeface, type Weight } from "./Typeface.ts"

/** Which forms Han characters take. */
export type Han = "chinese" | "japanese" | "korean"

/** Tells by the kana or the hangul beside them, for the characters are the same. */
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

/** Lists the families that may have a character, so that no other is read. */
const candidates = (character: string, han: Han): ReadonlyArray<Family> => {
  const family = own.find(([script]) => script.test(character))?.[1]
  if (family !== undefined) return [family, "sans"]
  if (eastAsian.test(character)) return ["sans", han, "chinese", "japanese", "korean"]
  // Symbols, and letters as wide as Han characters.
  return /[\p{Script=Common}\p{Script=Latin}]/u.test(character) ? ["sans", han] : ["sans"]
}

/** What shows nothing, or controls how other characters are shown: with it, what is read may not be what is signed. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

const find = (character: string, weight: Weight, han: Han): Typeface | undefined =>
  unseen.test(character)
    ? undefined
    : candidates(character, han).map((family) => typeface(family, weight)).find((face) => face.has(character))

const found = new Map<string, Map<string, Typeface | undefined>>()

/** So many characters' typefaces are kept, which is more than any language writes. */
const kept = 30_000

/** Makes a function that finds the typeface by which a character is seen. */
export const coverage = (weight: Weight, han: Han): (character: string) => Typeface | undefined => {
  const key = `${weight} ${han}`
  const known = found.get(key) ?? new Map<string, Typeface | undefined>()
  found.set(key, known)
  return (character) => {
    const face = known.get(character)
    if (face !== undefined || known.has(character)) return face
    if (known.size >= kept) known.clear()
    known.set(character, find(character, weight, han))
    return known.get(character)
  }
}

/** These join or part letters of scripts whose words need them. */
const joiner = /[\u200c\u200d]/

const joined = /^[[\p{scx=Arabic}\p{scx=Devanagari}]&&[\p{L}\p{M}]]$/v

/** A text as it is seen, and the typeface of each of its UTF-16 code units. */
export interface Covered {
  readonly text: string
  readonly faces: ReadonlyArray<Typeface>
}

/** Finds typefaces, and writes each character that none has as its code point: `[U+1F9EC]`. A mark has its letter's if it can. */
export const covered = (written: string, weight: Weight): Covered => {
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
