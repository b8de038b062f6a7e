/** A word is a run of Latin letters and digits in any case. Accents, apostrophes and soft hyphens in it are ignored. */
export const ignoredMark = 1

/** Ends a word, and may begin a tag or an entity. */
export const markupMark = 2

/** Maps each ASCII character to its small letter or digit, `ignoredMark` or `markupMark`; 0 ends a word. */
export const letterOf = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z0-9]/i.test(character)) return character.toLowerCase().charCodeAt(0)
  return character === "'" ? ignoredMark : character === "<" || character === "&" ? markupMark : 0
})

/** Scripts without Latin letters. They are removed before NFKD, which would expand some of their characters to 18. */
const elsewhere = /[\u0370-\u1cff\u2e80-\uabff\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufdff\ufe70-\ufefc]+/g

/** Writes a text in ASCII letters as far as possible. Any other character becomes a blank. */
export const folded = (text: string): string =>
  text.replace(elsewhere, " ").normalize("NFKD")
    .replace(/[\p{M}\p{Cf}\u2018\u2019\u02bc]+/gu, "")
    .replace(/[\u0080-\uffff]+/g, " ")

/** Characters that fonts show as nothing or as a blank. `folded` turns them into blanks. */
export const hiddenCharacters = /(?:[\u061c\u115f\u1160\u2800\u3164\uffa0]|\u17b4|\u17b5|[\u180b-\u180f])+/g

/** Removes the last s of a word that looks like a plural: over four letters, with no s, i or u before that s. */
export const wordKey = (word: string): string => word.length > 4 && /[^siu]s$/.test(word) ? word.slice(0, -1) : word
