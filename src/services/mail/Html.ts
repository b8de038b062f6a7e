import escapeHtml from "escape-html"

/** HTML whose every inserted value is escaped. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<string | number>): string =>
  strings.reduce((written, string, index) => written + escapeHtml(String(values[index - 1])) + string)
