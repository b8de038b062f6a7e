import { Stream } from "effect"

/** Joins what precedes a file with its first piece, so that the file was read before anything is sent. */
export const behind = <E>(before: Uint8Array, content: Stream.Stream<Uint8Array, E>) => {
  let isFirst = true
  return Stream.map(content, (chunk) => {
    const joined = isFirst && before.length > 0 ? Buffer.concat([before, chunk]) : chunk
    isFirst = false
    return joined
  })
}

/** In bytes. A socket takes a first piece of this size even if its client does not read, so the hold ends soon. */
const firstPiece = 16 * 1024

export const beginSmall = <E>(content: Stream.Stream<Uint8Array, E>) => {
  let isFirst = true
  return Stream.flatMap(content, (chunk) => {
    const isWhole = !isFirst || chunk.length <= firstPiece
    isFirst = false
    return isWhole ? Stream.succeed(chunk) : Stream.make(chunk.subarray(0, firstPiece), chunk.subarray(firstPiece))
  })
}

export const skip = (bytes: number) => <E>(content: Stream.Stream<Uint8Array, E>) => {
  let remaining = bytes
  return Stream.map(content, (chunk) => {
    const rest = chunk.subarray(Math.min(remaining, chunk.length))
    remaining -= chunk.length - rest.length
    return rest
  }).pipe(Stream.filter((chunk) => chunk.length > 0))
}
