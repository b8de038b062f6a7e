import { Parser } from "htmlparser2"

/** What a page from outside says, as HTML of our own making. */
export interface PlainHtml {
  readonly html: string
  /** There is more of it than is shown. */
  readonly cut: boolean
}

/** A browser lays out this much without a pause that is felt. */
const longestText = 2_000_000
const mostElements = 40_000
const deepest = 100

/**
 * Writes HTML, or the narrative of a CDA document, anew: text, and the elements that give it order. What is not named here does not
 * come through: scripts, styles, links, pictures, forms, frames, events. The frame that shows it would refuse them too.
 */
export const plainHtml = (source: string, type: "html" | "xml"): PlainHtml => {
  const isCda = type === "xml" && /<(?:[\w.-]+:)?ClinicalDocument[\s>]/.test(source.slice(0, 20_000))
  return type === "html" || isCda ? rewritten(source, isCda) : asText(source)
}

/** Any other XML is shown as it is written. */
const asText = (source: string): PlainHtml => ({
  html: `<pre>${escaped(source.slice(0, longestText))}</pre>`,
  cut: source.length > longestText
})

const rewritten = (source: string, isCda: boolean): PlainHtml => {
  const out: Array<string> = []
  /** What closes each open element of the source: our tag, nothing, or `undefined` where its content is left out too. */
  const open: Array<string | undefined> = []
  let [elements, silent, narrative] = [0, 0, 0]
  const speaks = () => silent === 0 && (!isCda || narrative > 0)
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const tag = name.slice(name.indexOf(":") + 1).toLowerCase()
      if (left.has(tag)) silent++
      if (isCda && narratives.has(tag)) narrative++
      const own = speaks()
        ? (isCda ? cda[tag] : undefined) ?? kept[tag] ?? (plain.has(tag) ? tag : undefined)
        : undefined
      const written = own !== undefined && open.length < deepest && ++elements <= mostElements
      if (written) out.push(`<${own}${attributesOf(own, attributes)}>`)
      if (speaks() && (tag === "img" || tag === "rendermultimedia")) {
        out.push(escaped(attributes["alt"] ? `[Picture: ${attributes["alt"]}]` : "[Picture]"))
      }
      open.push(left.has(tag) ? undefined : written && !empty.has(own) ? `</${own}>` : "")
    },
    ontext: (text) => speaks() && elements <= mostElements ? out.push(escaped(text)) : undefined,
    onclosetag: (name) => {
      const end = open.pop()
      if (end === undefined) silent--
      else out.push(end)
      if (isCda && narratives.has(name.slice(name.indexOf(":") + 1).toLowerCase())) narrative--
    }
  }, { xmlMode: isCda, decodeEntities: true })
  parser.end(source.slice(0, longestText))
  return { html: out.join(""), cut: source.length > longestText || elements > mostElements }
}

const setOf = (names: string) => new Set(names.split(" "))

/** They come through under their own names. */
const plain = setOf(
  "h1 h2 h3 h4 h5 h6 p div pre blockquote ul ol li dl dt dd table caption thead tbody tfoot tr th td br hr b strong i em u s sub sup small mark del ins code kbd samp abbr"
)

/** And these under another. */
const kept: Readonly<Record<string, string>> = {
  __proto__: null as never,
  ...Object.fromEntries(
    ["address", "article", "aside", "center", "details", "figcaption", "figure", "footer", "form", "header", "main",
      "nav", "section", "summary"]
      .map((name) => [name, "div"])
  )
}

/** The narrative of HL7 CDA R2 (4.3.5). */
const cda: Readonly<Record<string, string>> = {
  __proto__: null as never,
  title: "h2",
  text: "div",
  paragraph: "p",
  list: "ul",
  item: "li"
}

const narratives = setOf("title text")

const empty = setOf("br hr")

/** What is in them is no text of the page. */
const left = setOf("script style template iframe frame frameset object embed applet noembed noframes svg math head")

/** How cells are joined, and how text runs. */
const attributesOf = (tag: string, attributes: Readonly<Record<string, string>>) => {
  const written = tag === "td" || tag === "th"
    ? ["colspan", "rowspan"].filter((name) => /^[1-9]\d?$/.test(attributes[name] ?? ""))
    : []
  if (/^(ltr|rtl|auto)$/i.test(attributes["dir"] ?? "")) written.push("dir")
  return written.map((name) => ` ${name}="${attributes[name]}"`).join("")
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
