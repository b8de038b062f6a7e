const spelled: ReadonlyArray<readonly [ucum: string, words: string]> = [
  ["mm[Hg]", "mmHg"],
  ["[in_i]", "in"],
  ["[lb_av]", "lb"],
  ["[degF]", "°F"],
  ["10*3/uL", "×10³/µL"],
  ["10*6/uL", "×10⁶/µL"],
  ["{1.73_m2}", "1.73 m²"],
  ["kg/m2", "kg/m²"]
]

/**
 * UCUM units as clinicians write them. Numbers do not change. Text in braces behind a number is a comment of its unit
 * (UCUM, 12); in other text it belongs to what the source wrote.
 */
export const unitsInWords = (value: string): string =>
  spelled.reduce((text, [ucum, words]) => text.replaceAll(ucum, words), value)
    .replaceAll(
      / ?\{[^{}]*\}/g,
      (braces, at: number, text) => isMeasured(text.slice(Math.max(0, at - 60), at)) ? "" : braces
    )

/** Whether the last or second last word begins with a digit, as in `3 mg/dL`. */
const isMeasured = (before: string) => before.trimEnd().split(" ").slice(-2).some((word) => /^\d/.test(word))
