const longest = 4000

/**
 * The text, or as many characters of it as fit and the number of the others, which stand in the bundle. What was shortened
 * before is counted as it was: `shortened(shortened(text, 9), 5)` is `shortened(text, 5)`.
 */
export const shortened = (text: string, limit = longest): string => {
  if (text.length <= limit) return text
  const [said = "", before = "0"] = remark.exec(text.slice(-remarkLength)) ?? []
  const whole = text.length - said.length
  let end = 0
  for (let characters = 0; characters < limit && end < whole; characters++) end += widthAt(text, end)
  let others = Number(before)
  for (let at = end; at < whole; at += widthAt(text, at)) others++
  return others === 0 ? text : `${text.slice(0, end)}... (${others} more characters in record.fhir.json)`
}

const remark = /\.\.\. \((\d{1,9}) more characters in record\.fhir\.json\)$/

/** A remark is not longer. */
const remarkLength = 60

/** A character beyond U+FFFF has two places in a string. */
const widthAt = (text: string, at: number) => text.codePointAt(at)! > 0xffff ? 2 : 1
