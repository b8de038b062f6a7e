/** A code that was sent. Times are in milliseconds, by the browser's clock. */
export interface SentCode {
  /** It is undefined if the page did not ask for the code. The page then does not know when the code ends either. */
  readonly challengeId: string | undefined
  readonly endsAt: number | undefined
  /** No other code can be sent before this time. */
  readonly againAt: number
}

/** A code of a SMART Health Link for which an app or the veteran asked. */
export const alreadySent: SentCode = { challengeId: undefined, endsAt: undefined, againAt: 0 }

/** The number of digits in a code. */
export const codeLength = 8

/**
 * The digits in a typed or pasted text, as ASCII. The text may have spaces, dashes or words, and digits of any script.
 */
export const digitsOf = (text: string) =>
  Array.from(text.normalize("NFKC").matchAll(/\p{Nd}/gu), ([digit]) => valueOf(digit.codePointAt(0)!)).join("")

/** The ten digits of a script have consecutive code points, zero first (Unicode Standard, 4.6). */
const valueOf = (codePoint: number) => {
  let zero = codePoint
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (codePoint - zero) % 10
}

/** Groups digits as the mail does: "1234 5678". */
export const inGroups = (digits: string) => digits.replaceAll(/(\d{4})(?=\d)/g, "$1 ")
