/** Digits of any script. Beside one, O and l are read as digits too. Chinese numerals are letters to Unicode. */
const digitRun = /[\p{N}零〇一二三四五六七八九OoIl]+/gu

const english = "zero|one|two|three|four|five|six|seven|eight|nine"
const spanish = "cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"
const spelledDigit = new RegExp(`(?<!\\p{L})(?:${english}|${spanish})(?!\\p{L})`, "giu")

/** Maximum number of digits of a name. A year or "Bldg. 500" needs no more, and no telephone number has so few. */
const maxDigits = 4

/**
 * A toll-free number whose last seven signs may be letters, as 1-800-VETERAN. After a "1" or a hyphen, more may follow.
 * After a blank, they may not, so "Post 855 Auxiliary" stays.
 */
const tollFree =
  /(?:1[ .-]?8(\d)\1[ .-]?|8(\d)\2[.-]?)(?:[\p{L}\p{N}][ .-]?){7}|8(\d)\3 (?:[\p{L}\p{N}][ .-]?){7}(?![\p{L}\p{N}])/u

/**
 * What a mail program may show as an address or a link. A full stop before two letters may be that of a host's name. A
 * slash between letters or digits alone is no link: "OB/GYN", "24/7".
 */
const address = /[@:\\<>]|\b(?:www|https?)\b|\.[\p{L}\p{N}\p{M}]{2}|(?<![\p{L}\p{N}])\/|\/(?![\p{L}\p{N}])/iu

/** A host whose full stop is a word. "Polka Dot Clinic" and "Punto de Salud" are names, and written in capitals. */
const spelledHost = /[ .-](?:dot|punto)[ .-][\p{L}\p{N}]/u

const hostEnding = /(?:(?:dot|punto|point|period)[ -]?|\.)(?:com|org|net|gov|info|biz|edu|mil)(?!\p{L})/iu

/**
 * The end of a sentence: any mark but a full stop, or several of these. A single one ends a sentence if more follows,
 * and the word before it is too long to be shortened like "Assoc."
 */
const sentence = /[^\P{Sentence_Terminal}.]|\.\.|(?:\p{Ll}{5}|\p{L}{6})\.[^\p{L}\p{N}]+[\p{L}\p{N}]/u

/** What no name is written with: control and format characters, and the ends of lines and paragraphs. */
const unwritable = /[\p{C}\p{Zl}\p{Zp}]/u

/** Maximum number of UTF-16 code units of a name. The longest organization in NPPES has 70. */
const maxLength = 70

/**
 * Returns a person's text as a mail may show it, after NFKC. Our own mail must not carry somebody else's message. So
 * the result is undefined for a text that holds a telephone number, an address, a link or a sentence. The mail then
 * uses a word such as "an app". The pages show the text itself.
 */
export const nameInMail = (text: string): string | undefined => {
  const name = text.normalize("NFKC")
  if (name.length > maxLength || unwritable.test(name)) return undefined
  const seen = name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
  // All that stands between two words is one sign.
  const words = seen.replaceAll(
    /[^\p{L}\p{N}]+/gu,
    (between) => between.includes(".") ? "." : /\s/.test(between) ? " " : "-"
  )
  const digits = (seen.match(digitRun) ?? []).filter((run) => /[^OoIl]/.test(run)).join("")
  const isName = [...digits, ...seen.matchAll(spelledDigit)].length <= maxDigits &&
    ![tollFree, spelledHost, hostEnding].some((pattern) => pattern.test(words)) &&
    !address.test(seen) && !sentence.test(seen)
  return isName ? name : undefined
}
