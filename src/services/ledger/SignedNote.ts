import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from "node:crypto"
import { idInput, isKeyName, readKey, readNote } from "../../domain/SignedNote.ts"

/**
 * The key of signed notes, in the form of C2SP signed-note and Go's `golang.org/x/mod/sumdb/note`, with Ed25519. In
 * text, `PRIVATE+KEY+<name>+<id>+<base64>` signs and `<name>+<id>+<base64>` verifies.
 */
export interface NoteKey {
  readonly name: string
  /** Eight hexadecimal digits, computed from name and key. */
  readonly id: string
  readonly key: KeyObject
}

const ed25519 = Buffer.of(1)

const [privateDer, publicDer] = ["302e020100300506032b657004220420", "302a300506032b6570032100"]
  .map((prefix) => Buffer.from(prefix, "hex")) as [Buffer, Buffer]

const rawPublic = (key: KeyObject) => createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32)

const idOf = (name: string, publicKey: Uint8Array) => hash("sha256", idInput(name, publicKey), "hex").slice(0, 8)

/** Returns undefined if the text is no Ed25519 key that signs notes, or if its id belongs to another key. */
export const parsePrivateKey = (text: string): NoteKey | undefined => {
  const prefix = "PRIVATE+KEY+"
  const parsed = text.startsWith(prefix) ? readKey(text.slice(prefix.length)) : undefined
  if (parsed === undefined) return undefined
  const key = createPrivateKey({ key: Buffer.concat([privateDer, parsed.raw]), format: "der", type: "pkcs8" })
  return idOf(parsed.name, rawPublic(key)) === parsed.id ? { name: parsed.name, id: parsed.id, key } : undefined
}

/** Returns undefined if the text is no Ed25519 key that verifies notes, or if its id belongs to another key. */
export const parsePublicKey = (text: string): NoteKey | undefined => {
  const parsed = readKey(text)
  if (parsed === undefined || idOf(parsed.name, parsed.raw) !== parsed.id) return undefined
  const key = createPublicKey({ key: Buffer.concat([publicDer, parsed.raw]), format: "der", type: "spki" })
  return { name: parsed.name, id: parsed.id, key }
}

/** Makes a new private key. Returns undefined if the name is empty or holds white space or `+`. */
export const generateKey = (name: string): string | undefined => {
  if (!isKeyName(name)) return undefined
  const { privateKey } = generateKeyPairSync("ed25519")
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32)
  return `PRIVATE+KEY+${name}+${idOf(name, rawPublic(privateKey))}+${encoded(ed25519, seed)}`
}

export const publicKeyText = ({ id, key, name }: NoteKey) => `${name}+${id}+${encoded(ed25519, rawPublic(key))}`

const encoded = (...parts: ReadonlyArray<Uint8Array>) => Buffer.concat(parts).toString("base64")

/** `text` ends with a newline. */
export const signNote = ({ id, key, name }: NoteKey, text: string) =>
  `${text}\n— ${name} ${encoded(Buffer.from(id, "hex"), sign(null, Buffer.from(text), key))}\n`

/** Returns the text of a note, or undefined if this key has not signed it. Signatures of other keys are ignored. */
export const openNote = (note: string, { id, key, name }: NoteKey): string | undefined => {
  const read = readNote(note)
  const own = read?.signatures.filter((one) => one.name === name && one.id === id) ?? []
  const isSigned = own.length > 0 && own.every(({ signature }) => verify(null, Buffer.from(read!.text), key, signature))
  return isSigned ? read!.text : undefined
}
