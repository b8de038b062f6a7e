import { Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"

/** A part of a bundle. Its size in bytes is known before it is written. */
export type Piece<E> = Buffer | { readonly size: number; readonly content: Stream.Stream<Uint8Array, E> }

/** A stored file. Its size in bytes is that of the plaintext. */
export interface Opened<E> {
  readonly byteSize: number
  readonly content: Stream.Stream<Uint8Array, E>
}

export const sizeOf = <E>(pieces: ReadonlyArray<Piece<E>>) =>
  pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.size), 0)

export const contentOf = <E>(pieces: ReadonlyArray<Piece<E>>): Stream.Stream<Uint8Array, E> =>
  Stream.flatMap(
    Stream.fromIterable(pieces),
    (piece) => Buffer.isBuffer(piece) ? Stream.succeed<Uint8Array>(piece) : piece.content
  )

export const entryOf = (fullUrl: string, resource: unknown) => Buffer.from(JSON.stringify({ fullUrl, resource }))

const separator = Buffer.from(",")

const ending = Buffer.from("]}")

/** The pieces of a Bundle of type `collection` with these entries. `timestamp` is in ISO 8601. */
export const bundlePieces = <E>(
  { id, timestamp }: { readonly id: string; readonly timestamp: string },
  entries: ReadonlyArray<Piece<E>>
): ReadonlyArray<Piece<E>> => {
  const head = JSON.stringify({ resourceType: "Bundle", id, type: "collection", timestamp })
  return [
    Buffer.from(`${head.slice(0, -1)},"entry":[`),
    ...entries.flatMap((entry, index) => index === 0 ? [entry] : [separator, entry]),
    ending
  ]
}

/** The length of any SHA-1 in base64. */
const hashLength = 28

export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

/**
 * Returns an entry with an attachment, whose `data` and `hash` are written while the file is read. `resource` gets the
 * text that stands for both; `data` comes first.
 */
export const attachedEntry = <E>(
  fullUrl: string,
  resource: (inPlace: string) => unknown,
  { byteSize, content }: Opened<E>
): Piece<E> => {
  const inPlace = randomUUID()
  const [before, between, after] = entryOf(fullUrl, resource(inPlace)).toString().split(inPlace)
    .map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
  return {
    size: before.length + base64Length(byteSize) + between.length + hashLength + after.length,
    content: Stream.suspend(() => {
      const hash = createHash("sha1")
      let rest: Buffer = Buffer.alloc(0)
      const encoded = Stream.map(content, (chunk) => {
        hash.update(chunk)
        const bytes = Buffer.concat([rest, chunk])
        const whole = bytes.length - bytes.length % 3
        rest = bytes.subarray(whole)
        return Buffer.from(bytes.toString("base64", 0, whole), "latin1")
      })
      const end = Stream.suspend(() =>
        Stream.succeed(Buffer.concat([
          Buffer.from(rest.toString("base64")),
          between,
          Buffer.from(hash.digest("base64")),
          after
        ]))
      )
      return Stream.succeed<Uint8Array>(before).pipe(Stream.concat(encoded), Stream.concat(end))
    })
  }
}
