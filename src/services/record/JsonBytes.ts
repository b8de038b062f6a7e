import { Effect } from "effect"
import { makePace } from "../platform/Pace.ts"

const sliceSize = 1024 * 1024

type Piece = string | Uint8Array

/**
 * Puts JSON (RFC 8259) together from values and from bytes that are JSON already and keep their exact text: a FHIR
 * resource is answered as it was sent. The bytes are copied once, into the answer.
 */
export class JsonBytes {
  /** Put one after the other, these are the JSON. */
  private readonly pieces: ReadonlyArray<Piece>

  private constructor(pieces: ReadonlyArray<Piece>) {
    this.pieces = pieces
  }

  /** `json` must be one whole JSON value in UTF-8: nothing looks at it again. */
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

  /** Has the members in their order; those that are no `JsonBytes` are written as `JSON.stringify` writes them. */
  static object(members: Readonly<Record<string, unknown>>) {
    const pieces: Array<Piece> = []
    let text = "{"
    let separator = ""
    // Values that follow each other are written in one call, because a call for each is slower.
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

  /** Bytes, where it is bytes alone. */
  get length() {
    return this.pieces.reduce((size, piece) => size + piece.length, 0)
  }

  /** Copies in turns of the event loop. */
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

/** Adds `text` and what follows it; returns the text at its end, to which more may come. */
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
