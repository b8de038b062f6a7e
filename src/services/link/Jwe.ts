import { Effect, Stream } from "effect"
import { createCipheriv, randomBytes } from "node:crypto"
import { makePace } from "../platform/Pace.ts"

const header = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM", cty: "application/fhir+json" }))
  .toString("base64url")

const base64UrlLength = (bytes: number) => Math.ceil(bytes * 4 / 3)

/** Characters besides the ciphertext: the header, no encrypted key, the nonce of 12 bytes, the tag of 16, and dots. */
const overhead = header.length + base64UrlLength(12) + base64UrlLength(16) + 4

/** The number of bytes whose JWE has at most this many characters. */
export const bytesWithin = (characters: number) => Math.floor((characters - overhead) * 3 / 4)

/**
 * Encrypts content as a compact JWE (RFC 7516, 3.1; `dir`, A256GCM), piece by piece: a library would hold all of it
 * several times. The key is 32 bytes in base64url, and must encrypt nothing else.
 */
export const compactJwe = <E, R>(
  key: string,
  content: Stream.Stream<Uint8Array, E, R>
): Stream.Stream<Uint8Array, E, R> =>
  Stream.suspend(() => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv("aes-256-gcm", Buffer.from(key, "base64url"), nonce).setAAD(Buffer.from(header))
    const pace = makePace()
    let rest = Buffer.alloc(0)
    const encrypted = Stream.mapEffect(content, (chunk) => {
      const bytes = Buffer.concat([rest, cipher.update(chunk)])
      const whole = bytes.length - bytes.length % 3
      rest = bytes.subarray(whole)
      const text = Buffer.from(bytes.subarray(0, whole).toString("base64url"), "latin1")
      return Effect.as(pace(chunk.length), text)
    })
    const end = Stream.suspend(() => {
      const last = Buffer.concat([rest, cipher.final()]).toString("base64url")
      return Stream.succeed(Buffer.from(`${last}.${cipher.getAuthTag().toString("base64url")}`))
    })
    return Stream.succeed<Uint8Array>(Buffer.from(`${header}..${nonce.toString("base64url")}.`)).pipe(
      Stream.concat(encrypted),
      Stream.concat(end)
    )
  })
