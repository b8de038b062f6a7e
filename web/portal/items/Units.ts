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

/** Writes UCUM units as clinicians do. Text in braces is a comment (UCUM, 12) and is removed. Numbers do not change. */
export const unitsInWords = (value: string): string =>
  spelled.reduce((text, [ucum, words]) => text.replaceAll(ucum, words), value).replaceAll(/ ?\{[^{}]*\}/g, "")
