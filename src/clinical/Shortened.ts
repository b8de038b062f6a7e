const maxLength = 4000

/**
 * Shortens a text to `limit` characters and adds a remark with the number of omitted characters. The whole text is in
 * the FHIR Bundle `record.fhir.json`. Shortening twice counts correctly: `shortened(shortened(text, 9), 5)` is
 * `shortened(text, 5)`.
 */
export const shortened = (text: string, limit = maxLength): string => {
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

/** The longest remark, in characters. */
const remarkLength = 60

/** A character beyond U+FFFF takes two UTF-16 code units. */
const widthAt = (text: string, at: number) => text.codePointAt(at)! > 0xffff ? 2 : 1
