import { Effect } from "effect"
import { inflated } from "../platform/Envelope.ts"
import { makePace } from "../platform/Pace.ts"
import { rawFrameLength, writeRawFrame, ZstdFrame } from "../platform/ZstdFrames.ts"

const sliceSize = 1024 * 1024

type Piece = string | Uint8Array | ZstdFrame

/**
 * Puts JSON (RFC 8259) together from values and from bytes that are JSON already and keep their exact text: a FHIR
 * resource is answered as it was sent. The bytes are copied once, into the answer. What is stored as a zstd frame stays one
 * until the answer is written.
 */
export class JsonBytes {
  /** Put one after the other, these are the JSON. */
  private readonly pieces: ReadonlyArray<Piece>

  private constructor(pieces: ReadonlyArray<Piece>) {
    this.pieces = pieces
  }

  /** `json` must be one whole JSON value in UTF-8: nothing looks at it again. */
  static exact(json: Uint8Array | ZstdFrame) {
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
    return this.pieces.reduce((size, piece) => size + lengthOf(piece), 0)
  }

  /** Is there anything that is stored as a zstd frame? */
  get hasFrames() {
    return this.pieces.some((piece) => piece instanceof ZstdFrame)
  }

  /** Copies in turns of the event loop. */
  toBuffer(): Effect.Effect<Buffer> {
    const { pieces } = this
    return Effect.gen(function*() {
      const pace = makePace()
      const bytes = Buffer.allocUnsafe(pieces.reduce((size, piece) => size + byteLengthOf(piece), 0))
      let at = 0
      for (const piece of pieces) {
        if (typeof piece === "string") {
          at += bytes.write(piece, at)
          continue
        }
        const text = piece instanceof ZstdFrame ? yield* inflated(piece) : piece
        for (let from = 0; from < text.length; from += sliceSize) {
          const slice = text.subarray(from, from + sliceSize)
          bytes.set(slice, at)
          at += slice.length
          yield* pace(slice.length)
        }
      }
      return bytes
    })
  }

  /**
   * The same text as zstd frames. What is stored as one is passed on, and nothing of another text is in it, neither of the
   * request nor of another resource: no length tells of one by what was asked (BREACH). It spares to open each frame here,
   * and to compress it again.
   */
  toZstd(): Effect.Effect<Buffer> {
    const { pieces } = this
    return Effect.gen(function*() {
      const pace = makePace()
      const parts: Array<ZstdFrame | Array<Uint8Array>> = []
      for (const piece of pieces) {
        if (piece instanceof ZstdFrame) parts.push(piece)
        else {
          const last = parts.at(-1)
          const bytes = typeof piece === "string" ? Buffer.from(piece) : piece
          if (Array.isArray(last)) last.push(bytes)
          else parts.push([bytes])
        }
      }
      const size = parts.reduce(
        (sum, part) => sum + (Array.isArray(part) ? rawFrameLength(part) : part.bytes.length),
        0
      )
      const bytes = Buffer.allocUnsafe(size)
      let at = 0
      for (const part of parts) {
        const start = at
        at = Array.isArray(part) ? writeRawFrame(bytes, at, part) : at + part.bytes.copy(bytes, at)
        yield* pace(at - start)
      }
      return bytes
    })
  }
}

const lengthOf = (piece: Piece) => piece instanceof ZstdFrame ? piece.contentLength : piece.length

const byteLengthOf = (piece: Piece) => typeof piece === "string" ? Buffer.byteLength(piece) : lengthOf(piece)

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
