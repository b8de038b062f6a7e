/** A decimal as FHIR writes it (R4, 2.24.0.1). Its exponent is small enough to be counted exactly. */
const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,9}))?$/

interface Decimal {
  readonly isNegative: boolean
  /** The digits without leading and trailing zeros. They follow the decimal point: 1.5 is 0.15 times 10. */
  readonly digits: string
  readonly exponent: number
}

const decimalOf = (source: string): Decimal | null => {
  const [, sign, whole = "", fraction = "", exponent = "0"] = decimal.exec(source) ?? []
  if (sign === undefined) return null
  const all = whole + fraction
  const digits = all.replace(/^0+/, "")
  return {
    isNegative: sign === "-" && digits !== "",
    digits: trimmedEnd(digits),
    exponent: digits === "" ? 0 : Number(exponent) + whole.length - (all.length - digits.length)
  }
}

/** A loop, because the expression /0+$/ takes quadratic time. */
const trimmedEnd = (digits: string) => {
  let end = digits.length
  while (end > 0 && digits[end - 1] === "0") end--
  return digits.slice(0, end)
}

/**
 * Compares two decimals as they are written, without the rounding of JavaScript's numbers.
 * @returns a number below, above or equal to 0, or null if a text is no decimal.
 */
export const compareDecimals = (a: string, b: string): number | null => {
  const [one, other] = [decimalOf(a), decimalOf(b)]
  if (one === null || other === null) return null
  if (one.isNegative !== other.isNegative) return one.isNegative ? -1 : 1
  return one.isNegative ? compareSizes(other, one) : compareSizes(one, other)
}

const compareSizes = (a: Decimal, b: Decimal) => {
  if (a.digits === "" || b.digits === "") return Number(a.digits !== "") - Number(b.digits !== "")
  if (a.exponent !== b.exponent) return a.exponent - b.exponent
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0
}
