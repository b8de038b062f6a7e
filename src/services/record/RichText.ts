import { Tokenizer } from "htmlparser2"
import type { WordSearch } from "./WordSearch.ts"

/** Takes a formatted text in pieces, and feeds its visible text to a search. */
export interface RichText {
  readonly feed: (piece: string) => void
  readonly end: () => void
}

/** Feeding this many characters in one call costs far less than feeding them one by one. */
const enough = 4096

/** Joins adjacent short texts before it feeds them to the search. */
const gathering = (search: WordSearch) => {
  let gathered = ""
  let hasEnded = false
  const flush = () => {
    search.feed(gathered)
    gathered = ""
  }
  return {
    add: (text: string) => {
      hasEnded = false
      if (text.length >= enough) {
        flush()
        search.feed(text)
      } else if ((gathered += text).length >= enough) flush()
    },
    endWord: () => {
      if (!hasEnded) gathered += " "
      hasEnded = true
    },
    flush
  }
}

/** Tags that do not end a word: `al<b>cohol</b>` is one word. */
const inline = new Set("a abbr b big em font i mark s small span strike strong sub sup tt u wbr".split(" "))

/**
 * Reads HTML or XML without its tags and with decoded entities. It uses only the tokenizer: nesting costs nothing, and
 * text in malformed markup, which a parser would drop, is still searched.
 */
export const markup = (search: WordSearch): RichText => {
  const seen = gathering(search)
  let text = ""
  let earlier = ""
  /** Offset of `text` in everything written to the tokenizer. */
  let offset = 0
  const slice = (start: number, end: number) =>
    start >= offset ? text.slice(start - offset, end - offset) : (earlier + text).slice(
      start - offset + earlier.length,
      end - offset + earlier.length
    )
  const tag = (start: number, end: number) => {
    if (!inline.has(slice(start, Math.min(end, start + 10)).toLowerCase())) seen.endWord()
  }
  const nothing = () => {}
  const tokenizer = new Tokenizer({ decodeEntities: true }, {
    ontext: (start, end) => seen.add(slice(start, end)),
    ontextentity: (point) => seen.add(String.fromCodePoint(point)),
    onopentagname: tag,
    onclosetag: tag,
    onattribdata: nothing,
    onattribentity: nothing,
    onattribend: nothing,
    onattribname: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onend: nothing,
    onopentagend: nothing,
    onprocessinginstruction: nothing,
    onselfclosingtag: nothing
  })
  return {
    feed: (piece) => {
      offset += text.length
      earlier = text
      text = piece
      tokenizer.write(piece)
    },
    end: () => {
      tokenizer.end()
      seen.flush()
    }
  }
}

const rtfBreaks = new Set("par line tab cell row sect page column nestcell nestrow".split(" "))

/** Reads RTF without control words and escapes. Invisible text, such as names of fonts, is searched too. */
export const rtf = (search: WordSearch): RichText => {
  const seen = gathering(search)
  let control = ""
  /** Number of characters after each `\u` for readers without Unicode. `skipped` is how many remain to be skipped. */
  let substitutes = 1
  let skipped = 0
  const character = (text: string) => {
    if (skipped > 0) skipped--
    else seen.add(text)
  }
  const word = () => {
    const [, name = "", digits] = /^\\([a-z]*)(-?\d*)/i.exec(control)!
    const value = Number(digits)
    if (name === "u" && digits !== "") {
      seen.add(String.fromCharCode(value & 0xffff))
      skipped = substitutes
    } else if (name === "uc") substitutes = Math.min(Math.max(value, 0), 16)
    else if (rtfBreaks.has(name)) seen.endWord()
    control = ""
  }
  const read = (next: string) => {
    if (control === "\\") {
      if (/[a-z']/i.test(next)) control += next
      else {
        control = ""
        if (next !== "-") character(next === "\n" || next === "\r" || next === "~" ? " " : next)
      }
    } else if (control.startsWith("\\'")) {
      control += next
      if (control.length < 4) return
      const code = Number.parseInt(control.slice(2), 16)
      control = ""
      // In Windows-1252 these two are apostrophes; in Latin-1 they are control characters.
      if (code >= 0) character(code === 0x91 || code === 0x92 ? "'" : String.fromCharCode(code))
    } else if (control !== "") {
      if (/[a-z0-9-]/i.test(next) && control.length < 32) control += next
      else {
        word()
        // One blank after a control word belongs to it and is not part of the text.
        if (next !== " ") read(next)
      }
    } else if (next === "\\") control = next
    else if (next !== "{" && next !== "}" && next !== "\r" && next !== "\n") character(next)
  }
  return {
    feed: (piece) => {
      for (let at = 0; at < piece.length; at++) read(piece[at]!)
    },
    end: () => {
      if (/^\\[a-z]/i.test(control)) word()
      seen.flush()
    }
  }
}
