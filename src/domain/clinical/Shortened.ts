const longest = 4000

/** The text, or as many characters of it as fit and the number of the others, which stand in the bundle. */
export const shortened = (text: string, limit = longest): string => {
  if (text.length <= limit) return text
  let end = 0
  for (let characters = 0; characters < limit && end < text.length; characters++) end += widthAt(text, end)
  let others = 0
  for (let at = end; at < text.length; at += widthAt(text, at)) others++
  return others === 0 ? text : `${text.slice(0, end)}... (${others} more characters in record.fhir.json)`
}

/** A character beyond U+FFFF has two places in a string. */
const widthAt = (text: string, at: number) => text.codePointAt(at)! > 0xffff ? 2 : 1
