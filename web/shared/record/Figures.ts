import { recordWords } from "./RecordLanguage.ts"

/** The most significant digits of a number in the first glance. The open item shows all that were sent. */
const most = 6

const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`

const numbers = new RegExp(number, "g")

/** One number, a range or a pair, such as a blood pressure, with its unit. Other text may be a code or a sentence. */
const measured = new RegExp(
  String.raw`^(?:(?:at least|at most|[<>]=?) )?${number}(?:(?: to |/)${number})?(?: \D.*)?$`,
  "s"
)

/** Without a fraction and a unit, digits may be a code. A code is never rounded. */
export const isMeasured = (text: string) => measured.test(text) && /[. ]/.test(text)

/** Counts significant digits. The zeros at the end of a whole number do not count. */
const significantDigits = (number: string) => {
  const [mantissa = ""] = number.split(/e/i)
  const digits = mantissa.replaceAll(/[-.]/g, "")
  const first = digits.search(/[1-9]/)
  if (first === -1) return 0
  const last = mantissa.includes(".") ? digits.length - 1 : digits.search(/[1-9]0*$/)
  return last - first + 1
}

export const rounded = (number: number): string => String(Number(number.toPrecision(most)))

const shortNumber = (number: string) => {
  if (significantDigits(number) <= most) return number
  const short = rounded(Number(number))
  // A number that this language cannot hold stays as it was sent.
  return short === "0" || short.includes("Infinity") ? number : short
}

/** A measured value with at most six significant digits in each number, and `about` before the first shorter one. */
export const roundedFigures = (text: string): string => {
  if (!isMeasured(text)) return text
  let before = `${recordWords().about} `
  return text.replaceAll(numbers, (number) => {
    const short = shortNumber(number)
    if (short === number) return number
    const words = before + short
    before = ""
    return words
  })
}

/** The numbers of a text and what stands between them. Every second part is a number. */
export const numbersApart = (text: string): ReadonlyArray<string> =>
  text.split(/((?:[<>]=? )?-?\d[\d.,/]*(?:[eE][+-]?\d+)?)/)
