/** A code that was sent. Times are milliseconds of the browser's clock. */
export interface SentCode {
  readonly challengeId: string
  readonly endsAt: number
  /** Before this time no other one is sent. */
  readonly againAt: number
}

/** So many digits the service sends. */
export const codeLength = 8

/**
 * The digits of what was typed or pasted, in ASCII: with spaces, dashes or words around them, and in any script, whose keyboards
 * have digits of their own.
 */
export const digitsOf = (text: string) =>
  Array.from(text.normalize("NFKC").matchAll(/\p{Nd}/gu), ([digit]) => valueOf(digit.codePointAt(0)!)).join("")

/** Decimal digits stand in runs of ten, zero first (Unicode Standard, 4.6). */
const valueOf = (codePoint: number) => {
  let zero = codePoint
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (codePoint - zero) % 10
}

/** As the mail shows it: "1234 5678". */
export const inGroups = (digits: string) => digits.replaceAll(/(\d{4})(?=\d)/g, "$1 ")
