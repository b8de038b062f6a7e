import { Effect } from "effect"
import { makePace } from "../platform/Pace.ts"

const sliceSize = 1024 * 1024

type Piece = string | Uint8Array

/** JSON (RFC 8259) from values and from bytes that are already JSON. Such bytes are copied once, into the answer. */
export class JsonBytes {
  private readonly pieces: ReadonlyArray<Piece>

  private constructor(pieces: ReadonlyArray<Piece>) {
    this.pieces = pieces
  }

  /** `json` must be one whole JSON value in UTF-8. It is not checked. */
  static exact(json: Uint8Array) {
    return new JsonBytes([json])
  }

  static value(value: unknown) {
    return JsonBytes.exact(Buffer.from(JSON.stringify(value)))
  }

  static array(elements: ReadonlyArray<JsonBytes>) {
    const pieces: Array<Piece> = []
    let text = "["
    for (const [index, element] of elements.entries()) {
      text = append(pieces, index === 0 ? text : `${text},`, element.pieces)
    }
    pieces.push(`${text}]`)
    return new JsonBytes(pieces)
  }

  /** Writes the members in order. Values other than `JsonBytes` are written as by `JSON.stringify`. */
  static object(members: Readonly<Record<string, unknown>>) {
    const pieces: Array<Piece> = []
    let text = "{"
    let separator = ""
    // Adjacent values are written in one call, which is faster than a call for each.
    let values: Record<string, unknown> = {}
    for (const name in members) {
      const value = members[name]
      if (!(value instanceof JsonBytes)) {
        values[name] = value
        continue
      }
      const before = insideOf(values)
      values = {}
      text += `${separator}${before}${before === "" ? "" : ","}${JSON.stringify(name)}:`
      text = append(pieces, text, value.pieces)
      separator = ","
    }
    const after = insideOf(values)
    pieces.push(`${text}${after === "" ? "" : separator}${after}}`)
    return new JsonBytes(pieces)
  }

  /** The length in bytes, if no piece is a string. A string counts by its characters, not by its bytes. */
  get length() {
    return this.pieces.reduce((size, piece) => size + piece.length, 0)
  }

  /** Copies the pieces into one buffer, with pauses for other requests. */
  toBuffer(): Effect.Effect<Buffer> {
    const { pieces } = this
    return Effect.gen(function*() {
      const pace = makePace()
      const bytes = Buffer.allocUnsafe(pieces.reduce((size, piece) => size + Buffer.byteLength(piece), 0))
      let at = 0
      for (const piece of pieces) {
        if (typeof piece === "string") {
          at += bytes.write(piece, at)
          continue
        }
        for (let from = 0; from < piece.length; from += sliceSize) {
          const slice = piece.subarray(from, from + sliceSize)
          bytes.set(slice, at)
          at += slice.length
          yield* pace(slice.length)
        }
      }
      return bytes
    })
  }
}

/** Appends to `pieces`, with adjacent texts joined. Returns the text after the last bytes, for the caller to add to. */
const append = (
  pieces: Array<Piece>,
  text: string,
  following: ReadonlyArray<Piece>
): string => {
  let last = text
  for (const piece of following) {
    if (typeof piece === "string") last += piece
    else {
      if (last !== "") pieces.push(last)
      pieces.push(piece)
      last = ""
    }
  }
  return last
}

const insideOf = (values: object) => JSON.stringify(values).slice(1, -1)
