import escapeHtml from "escape-html"

/** Writes HTML in which every inserted value is escaped. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<string | number>): string =>
  String.raw({ raw: strings }, ...values.map((value) => escapeHtml(String(value))))
