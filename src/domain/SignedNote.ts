import { Option, Result } from "effect"
import { Base64 } from "effect/encoding"

/** The texts of C2SP signed-note and tlog-checkpoint, without any cryptography, so that browsers read them too. */

/** Only the canonical form counts, so that one key or signature has one text. */
export const canonicalBase64 = (text: string): Uint8Array | undefined => {
  const bytes = Option.getOrUndefined(Result.getSuccess(Base64.decode(text)))
  return bytes !== undefined && Base64.encode(bytes) === text ? bytes : undefined
}

/** The public or private key of a note, as its text has it. Its id is not checked yet. */
export interface WrittenKey {
  readonly name: string
  /** Eight hexadecimal digits. */
  readonly id: string
  readonly raw: Uint8Array
}

export const isKeyName = (name: string) => /^[^\s+\p{Z}\p{Cc}]+$/u.test(name) && name.isWellFormed()

/** Reads `<name>+<id>+<base64>`. Returns undefined if it is no Ed25519 key. */
export const readKey = (text: string): WrittenKey | undefined => {
  const [, name = "", id = "", base64 = ""] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? []
  const bytes = canonicalBase64(base64)
  return isKeyName(name) && bytes?.length === 33 && bytes[0] === ed25519
    ? { name, id, raw: bytes.subarray(1) }
    : undefined
}

/** The number of the algorithm Ed25519. */
const ed25519 = 1

/** Eight hexadecimal digits of the first four bytes. */
export const keyId = (bytes: Uint8Array) =>
  [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("")

/** The bytes whose SHA-256 begins with the id of a public key. */
export const idInput = (name: string, publicKey: Uint8Array) =>
  new Uint8Array([...new TextEncoder().encode(`${name}\n`), ed25519, ...publicKey])

/** No note of this service or of a witness is longer than this number of characters. */
const maxNoteLength = 100_000

export interface ReadNote {
  readonly text: string
  readonly signatures: ReadonlyArray<{ readonly name: string; readonly id: string; readonly signature: Uint8Array }>
}

/** Splits a note into its text and its signatures, none of which is checked. Returns undefined if it is no note. */
export const readNote = (note: string): ReadNote | undefined => {
  const end = note.lastIndexOf("\n\n") + 1
  // Newlines are the only control characters in a note.
  const isNote = end > 0 && note.length <= maxNoteLength && note.endsWith("\n") && !/[^\P{Cc}\n]/u.test(note)
  if (!isNote) return undefined
  const signatures = note.slice(end + 1, -1).split("\n").map((line) => {
    const [, name, base64 = ""] = /^— (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? []
    const bytes = Option.getOrUndefined(Result.getSuccess(Base64.decode(base64)))
    return name === undefined || bytes === undefined ? undefined : {
      name,
      id: keyId(bytes),
      signature: bytes.subarray(4)
    }
  })
  return signatures.every((one) => one !== undefined) ? { text: note.slice(0, end), signatures } : undefined
}

/** The state of a log at one size (C2SP tlog-checkpoint). */
export interface Checkpoint {
  readonly size: number
  readonly root: Uint8Array
}

/** Reads the text of a note that is signed already. Returns undefined if it is no checkpoint of the log `name`. */
export const readCheckpoint = (text: string, name: string): Checkpoint | undefined => {
  const [origin, size = "", base64 = ""] = text.split("\n")
  const root = canonicalBase64(base64)
  return origin === name && /^(0|[1-9]\d*)$/.test(size) && Number.isSafeInteger(Number(size)) && root?.length === 32
    ? { size: Number(size), root }
    : undefined
}
