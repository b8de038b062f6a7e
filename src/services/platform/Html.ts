import escapeHtml from "escape-html"

type Insert = string | number | Html | ReadonlyArray<Html> | undefined

/** Escapes text, keeps HTML, and writes nothing for undefined. */
const inserted = (value: Insert): string => {
  if (value instanceof Html) return value.toString()
  if (typeof value === "object") return value.map(inserted).join("")
  return value === undefined ? "" : escapeHtml(String(value))
}

/** HTML that `html` wrote. Nothing else can make it, so no text becomes HTML without being escaped. */
export class Html {
  private readonly text: string
  private constructor(text: string) {
    this.text = text
  }
  static of(strings: TemplateStringsArray, ...values: ReadonlyArray<Insert>): Html {
    return new Html(String.raw({ raw: strings }, ...values.map(inserted)))
  }
  toString(): string {
    return this.text
  }
}

/** Writes HTML in which every inserted text is escaped. */
export const html = Html.of
