import { Tokenizer } from "htmlparser2"

/** A page from outside, rewritten by `plainHtml`. */
export interface PlainHtml {
  readonly html: string
  /** True if more content exists than is shown. */
  readonly cut: boolean
}

/** A browser lays out this number of characters and elements without a noticeable pause. */
const maxTextLength = 1_000_000
const maxElements = 40_000

/**
 * Rewrites HTML, or the narrative of a CDA document, as text and the elements that structure it. Nothing else comes
 * through: no scripts, styles, links, pictures, forms, frames or events. As a second barrier, the frame that shows the
 * result refuses these. The source is split into tokens, but no tree is built, so deep nesting costs nothing. The
 * browser closes open elements.
 */
export const plainHtml = (source: string, type: "html" | "xml"): PlainHtml => {
  const isCda = type === "xml" && /<(?:[\w.-]+:)?ClinicalDocument[\s>]/.test(source.slice(0, 20_000))
  if (type === "xml" && !isCda) return asText(source)
  const beginning = source.slice(0, maxTextLength)
  // HTML has no CDATA sections, but the tokenizer knows them. An unclosed section would swallow the rest.
  return rewritten(isCda ? beginning : beginning.replaceAll("<![CDATA[", "&lt;![CDATA["), isCda, source.length)
}

/** Shows the source of XML that is not a CDA document. */
const asText = (source: string): PlainHtml => ({
  html: `<pre>${escaped(source.slice(0, maxTextLength))}</pre>`,
  cut: source.length > maxTextLength
})

const rewritten = (source: string, isCda: boolean, length: number): PlainHtml => {
  const out: Array<string> = []
  const left = isCda ? leftOfCda : leftOfHtml
  let tag = ""
  let attribute = ""
  let attributes: Record<string, string> = {}
  /** The element whose content is being skipped. */
  let silent: string | undefined
  let [elements, narrative] = [0, 0]
  const speaks = () => silent === undefined && (!isCda || narrative > 0)
  const nameAt = (start: number, end: number) => source.slice(start, end).replace(/^.*:/, "").toLowerCase()
  const say = (text: string) => speaks() ? out.push(escaped(text)) : undefined
  const ownOf = (name: string) =>
    (isCda ? cda.get(name) : undefined) ?? renamed.get(name) ?? (plain.has(name) ? name : undefined)
  const add = (text: string) => {
    attributes[attribute] = ((attributes[attribute] ?? "") + text).slice(0, 1_000)
  }
  const open = () => {
    if (isCda && narratives.has(tag)) narrative++
    const own = ownOf(tag)
    if (speaks() && own !== undefined && ++elements <= maxElements) {
      out.push(`<${own}${attributesOf(own, attributes)}>`)
    }
    if (tag === "img" || tag === "rendermultimedia") {
      say(attributes["alt"] === undefined || attributes["alt"] === "" ? "[Picture]" : `[Picture: ${attributes["alt"]}]`)
    }
    if (left.has(tag)) silent ??= tag
  }
  const close = (name: string) => {
    if (silent === name) silent = undefined
    const own = ownOf(name)
    if (speaks() && own !== undefined && !empty.has(own) && elements <= maxElements) out.push(`</${own}>`)
    if (isCda && narratives.has(name)) narrative = Math.max(0, narrative - 1)
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer({ xmlMode: isCda, decodeEntities: true }, {
    ontext: (start, end) => say(source.slice(start, end)),
    ontextentity: (point) => say(String.fromCodePoint(point)),
    oncdata: (start, end, offset) => say(source.slice(start, end - offset)),
    onopentagname: (start, end) => {
      tag = nameAt(start, end)
      attributes = {}
    },
    onattribname: (start, end) => void (attribute = nameAt(start, end)),
    onattribdata: (start, end) => add(source.slice(start, Math.min(end, start + 1_000))),
    onattribentity: (point) => add(String.fromCodePoint(point)),
    onattribend: nothing,
    onopentagend: open,
    onselfclosingtag: () => {
      open()
      if (isCda) close(tag)
    },
    onclosetag: (start, end) => close(nameAt(start, end)),
    oncomment: nothing,
    ondeclaration: nothing,
    onend: nothing,
    onprocessinginstruction: nothing
  })
  tokenizer.write(source)
  tokenizer.end()
  return { html: out.join(""), cut: length > maxTextLength || elements > maxElements }
}

const setOf = (names: string) => new Set(names.split(" "))

/** Elements that keep their names. */
const plain = setOf(
  "h1 h2 h3 h4 h5 h6 p div pre blockquote ul ol li dl dt dd table caption thead tbody tfoot tr th td br hr b strong i em u s sub sup small mark del ins code kbd samp abbr"
)

/** Elements that get another name. */
const renamed = new Map(
  "address article aside center details figcaption figure footer form header main nav section summary".split(" ")
    .map((name) => [name, "div"])
)

/** Elements of the narrative in HL7 CDA R2 (4.3.5), with the HTML elements that replace them. */
const cda = new Map([["title", "h2"], ["text", "div"], ["paragraph", "p"], ["list", "ul"], ["item", "li"]])

const narratives = setOf("title text")

const empty = setOf("br hr")

/**
 * Elements whose content is skipped, because it is not text of the page. Browsers, too, treat everything up to the end
 * tag as their content.
 */
const [leftOfHtml, leftOfCda] = [setOf("script style title"), setOf("script style")]

/** Keeps only the attributes that join cells or set the direction of text. */
const attributesOf = (tag: string, attributes: Readonly<Record<string, string>>) => {
  const written = tag === "td" || tag === "th"
    ? ["colspan", "rowspan"].filter((name) => /^[1-9]\d?$/.test(attributes[name] ?? ""))
    : []
  if (/^(ltr|rtl|auto)$/i.test(attributes["dir"] ?? "")) written.push("dir")
  return written.map((name) => ` ${name}="${attributes[name]}"`).join("")
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
