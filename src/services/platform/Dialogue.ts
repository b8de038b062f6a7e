import { createPrivateKey, createSecretKey, KeyObject } from "node:crypto"
import { DefaultDeserializer, DefaultSerializer } from "node:v8"

/** The worker's side of its dialogue with the service (Workers.ts). Each side waits while the other is busy. */
export interface Dialogue<Question, Answer> {
  /** Waits for the next message. Throws if the service has ended this work. */
  readonly hear: () => Question
  readonly tell: (message: Answer) => void
}

/** Bytes of a message's prefix: the length of its head, then the length of the binary data that follows the head. */
const lengths = 8

/** Returns a message's lengths, its head, and the bytes of its keys and of its `Uint8Array`s, which are not copied. */
export const framed = (message: unknown): ReadonlyArray<Uint8Array> => {
  const writer = new Writer()
  writer.writeHeader()
  writer.writeValue(message)
  const head = writer.releaseBuffer()
  const before = Buffer.alloc(lengths)
  before.writeUInt32LE(head.length)
  before.writeUInt32LE(writer.bytes.reduce((sum, { length }) => sum + length, 0), 4)
  return [before, head, ...writer.bytes]
}

const kinds = ["bytes", "secret", "private"] as const

class Writer extends DefaultSerializer {
  readonly bytes: Array<Uint8Array> = []

  _writeHostObject(value: object) {
    const kind = value instanceof KeyObject ? kinds.findIndex((kind) => kind === value.type) : 0
    const bytes = value instanceof KeyObject
      ? value.type === "secret" ? value.export() : value.export({ type: "pkcs8", format: "der" })
      : value
    if (kind < 0 || !(bytes instanceof Uint8Array)) throw new TypeError("a message holds what cannot be sent")
    this.writeUint32(kind)
    this.writeUint32(bytes.length)
    this.bytes.push(bytes)
  }
}

class Reader extends DefaultDeserializer {
  private readonly bytes: Uint8Array
  private at = 0

  constructor(head: Uint8Array, bytes: Uint8Array) {
    super(head)
    this.bytes = bytes
  }

  _readHostObject() {
    const kind = kinds[this.readUint32()]
    const start = this.at
    this.at += this.readUint32()
    const { buffer, byteOffset } = this.bytes
    if (kind === "bytes") return new Uint8Array(buffer, byteOffset + start, this.at - start)
    const key = Buffer.from(buffer, byteOffset + start, this.at - start)
    return kind === "secret" ? createSecretKey(key) : createPrivateKey({ key, type: "pkcs8", format: "der" })
  }
}

/** Assembles a message from the pieces in which it arrives, in one buffer of the message's size. */
export class Incoming {
  private into = Buffer.allocUnsafeSlow(lengths)
  private filled = 0
  private headLength: number | undefined

  /** Where the next bytes must be written. */
  get room(): Uint8Array {
    return this.into.subarray(this.filled)
  }

  /** Takes `count` bytes that were written to `room`. Returns the message if it is complete. */
  advance(count: number): { readonly message: unknown } | undefined {
    this.filled += count
    if (this.filled < this.into.length) return undefined
    const whole = this.into
    this.filled = 0
    if (this.headLength === undefined) {
      this.headLength = whole.readUInt32LE()
      this.into = Buffer.allocUnsafeSlow(this.headLength + whole.readUInt32LE(4))
      return undefined
    }
    const reader = new Reader(whole.subarray(0, this.headLength), whole.subarray(this.headLength))
    this.into = Buffer.allocUnsafeSlow(lengths)
    this.headLength = undefined
    reader.readHeader()
    return { message: reader.readValue() }
  }
}
